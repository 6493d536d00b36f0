// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/anishathalye/porcupine"
)

// Sequential consistency is linearizability of a history in which all operations overlap, by an object that is the
// whole store and takes the operations of a session in their order only. So Porcupine can judge it: what it accepts has
// an order, and what it refuses has none. The search takes the operations in the order given first.

// perChunk is how many cells are copied where one changes.
const perChunk = 64

// store holds the cells of all keys, and after them, by session, how many of its operations have come. It is never
// changed.
type store struct {
	chunks [][]cell
	hash   uint64
}

func newStore(cells int) *store {
	empty := make([]cell, perChunk)
	for i := range empty {
		empty[i] = unwritten
	}
	chunks := make([][]cell, (cells+perChunk-1)/perChunk)
	for i := range chunks {
		chunks[i] = empty
	}
	return &store{chunks: chunks}
}

func (s *store) get(place int) cell {
	return s.chunks[place/perChunk][place%perChunk]
}

func (s *store) with(place int, held cell) *store {
	chunks := append([][]cell(nil), s.chunks...)
	chunk := append([]cell(nil), chunks[place/perChunk]...)
	hash := s.hash ^ mix(place, chunk[place%perChunk]) ^ mix(place, held)
	chunk[place%perChunk] = held
	chunks[place/perChunk] = chunk
	return &store{chunks, hash}
}

func (s *store) equal(other *store) bool {
	if s.hash != other.hash {
		return false
	}
	for i, chunk := range s.chunks {
		for j, held := range chunk {
			if other.chunks[i][j] != held {
				return false
			}
		}
	}
	return true
}

// mix is the finalizer of SplitMix64, over a cell and its place.
func mix(place int, held cell) uint64 {
	mixed := uint64(place)*0x9e3779b97f4a7c15 ^ uint64(held.value)*0xbf58476d1ce4e5b9
	mixed ^= uint64(held.version) ^ uint64(held.written)<<40
	mixed = (mixed ^ mixed>>30) * 0xbf58476d1ce4e5b9
	mixed = (mixed ^ mixed>>27) * 0x94d049bb133111eb
	return mixed ^ mixed>>31
}

func sequential(history *history, order []int, timeout time.Duration) answer {
	sorted := inOrder(history.operations, order)
	asked := make([]porcupine.Operation, len(sorted))
	for i := range sorted {
		asked[i] = porcupine.Operation{
			ClientId: sorted[i].session,
			Input:    &sorted[i],
			Call:     int64(i),
			Return:   int64(len(sorted) + i),
		}
	}
	keys := len(history.keys)
	begun := newStore(keys + history.sessions)
	for session := 0; session < history.sessions; session++ {
		begun = begun.with(keys+session, cell{})
	}
	model := porcupine.Model{
		Init: func() interface{} { return begun },
		Step: func(state, input, _ interface{}) (bool, interface{}) {
			return step(state.(*store), input.(*operation), keys)
		},
		Equal: func(one, other interface{}) bool { return one.(*store).equal(other.(*store)) },
		Hash:  func(state interface{}) uint64 { return state.(*store).hash },
	}
	switch porcupine.CheckOperationsTimeout(model, asked, timeout) {
	case porcupine.Ok:
		return answer{"accepted", ""}
	case porcupine.Illegal:
		return answer{"refused", ""}
	}
	return answer{"open", "no order was found in time"}
}

// inOrder puts what the order does not name last.
func inOrder(operations []operation, order []int) []operation {
	byNumber := map[int]operation{}
	for _, each := range operations {
		byNumber[each.number] = each
	}
	sorted := make([]operation, 0, len(operations))
	for _, number := range order {
		if each, known := byNumber[number]; known {
			sorted = append(sorted, each)
			delete(byNumber, number)
		}
	}
	for _, each := range operations {
		if _, left := byNumber[each.number]; left {
			sorted = append(sorted, each)
		}
	}
	return sorted
}

func step(state *store, each *operation, keys int) (bool, interface{}) {
	session := keys + each.session
	come := state.get(session)
	if int(come.value) < each.after {
		return false, state
	}
	held := state.get(each.key)
	fits, then := each.apply(held)
	if !fits {
		return false, state
	}
	if then != held {
		state = state.with(each.key, then)
	}
	if !each.optional {
		state = state.with(session, cell{value: come.value + 1})
	}
	return true, state
}
