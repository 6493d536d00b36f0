// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// register is the state of one key. Times order nearly everything. Where an operation starts at the very moment at
// which its session's previous one ended, times leave open which came first: then the state holds which of those have
// come, a character each.
type register struct {
	cell
	come string
}

// timed is an operation on one key.
type timed struct {
	operation
	place  int // of its character in the state, or none
	awaits int // place of the one that must have come, or none
}

const none = -1

func linearizable(history *history, order []int, timeout time.Duration) answer {
	deadline := time.Now().Add(timeout)
	byKey := make([][]operation, len(history.keys))
	for _, each := range history.operations {
		byKey[each.key] = append(byKey[each.key], each)
	}
	rank := map[int]int{}
	for place, number := range order {
		rank[number] = place
	}
	open := ""
	for key, operations := range byKey {
		left := time.Until(deadline)
		if left <= 0 {
			return answer{"open", "no time left for key " + history.keys[key]}
		}
		switch linearizableKey(operations, rank, left) {
		case porcupine.Illegal:
			return answer{"refused", "key " + history.keys[key]}
		case porcupine.Unknown:
			open = "key " + history.keys[key] + " took too long"
		}
	}
	if open != "" {
		return answer{"open", open}
	}
	return answer{"accepted", ""}
}

func linearizableKey(operations []operation, rank map[int]int, timeout time.Duration) porcupine.CheckResult {
	timedOnes, come := withSessions(operations)
	if narrow, fits := narrowed(timedOnes, rank); fits && check(narrow, come, timeout) == porcupine.Ok {
		return porcupine.Ok
	}
	return check(timedOnes, come, timeout)
}

func check(timedOnes []timed, come string, timeout time.Duration) porcupine.CheckResult {
	asked := make([]porcupine.Operation, len(timedOnes))
	for i := range timedOnes {
		asked[i] = porcupine.Operation{
			ClientId: timedOnes[i].session,
			Input:    &timedOnes[i],
			Call:     timedOnes[i].start,
			Return:   timedOnes[i].end,
		}
	}
	model := porcupine.Model{
		Init: func() interface{} { return register{unwritten, come} },
		Step: func(state, input, _ interface{}) (bool, interface{}) { return input.(*timed).step(state.(register)) },
	}
	return porcupine.CheckOperationsTimeout(model, asked, timeout)
}

// narrowed begins no operation before those that come before it by rank, and leaves out what has no rank and need not
// have happened. No operation begins before it did, and none ends later. So if some order explains these operations,
// it explains the given ones, too; if none does, that says nothing of the given ones. Porcupine finds an order by rank
// at once, for what it tries first is what begins first. It does not fit where an operation would end before it begins.
func narrowed(timedOnes []timed, rank map[int]int) ([]timed, bool) {
	ranked := make([]timed, 0, len(timedOnes))
	first, last := int64(never), int64(0)
	for _, each := range timedOnes {
		if _, known := rank[each.number]; known || !each.optional {
			ranked = append(ranked, each)
			first, last = min(first, each.start), max(last, each.start)
		}
	}
	finer := int64(len(ranked) + 1) // moments of the same time that begin in a row
	if len(rank) == 0 || (last-first) >= never/finer/2 {
		return nil, false
	}
	sort.SliceStable(ranked, func(i, j int) bool { return rank[ranked[i].number] < rank[ranked[j].number] })
	begun := first
	for i := range ranked {
		each := &ranked[i]
		begun = max(begun, each.start)
		if begun > each.end {
			return nil, false
		}
		each.start = (begun-first)*finer + int64(i)
		if each.end > last {
			each.end = never // nothing begins later
		} else {
			each.end = (each.end-first)*finer + finer - 1
		}
	}
	return ranked, true
}

// withSessions finds operations that times alone do not keep in their session's order. It also returns the characters
// to begin with.
func withSessions(operations []operation) ([]timed, string) {
	timedOnes := make([]timed, len(operations))
	last := map[int]int{} // by session: its last certain operation
	come := ""
	for i, each := range operations {
		timedOnes[i] = timed{operation: each, place: none, awaits: none}
		before, known := last[each.session]
		if known && operations[before].end >= each.start {
			if timedOnes[before].place == none {
				timedOnes[before].place = len(come)
				come += "-"
			}
			timedOnes[i].awaits = timedOnes[before].place
		}
		if !each.optional {
			last[each.session] = i
		}
	}
	return timedOnes, come
}

func (t *timed) step(state register) (bool, interface{}) {
	if t.awaits != none && state.come[t.awaits] != '+' {
		return false, state
	}
	fits, held := t.apply(state.cell)
	if !fits {
		return false, state
	}
	come := state.come
	if t.place != none {
		come = come[:t.place] + "+" + come[t.place+1:]
	}
	return true, register{held, come}
}
