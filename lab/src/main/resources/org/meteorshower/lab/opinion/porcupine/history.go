// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
)

// null is the number of the value that stands for no row.
const null = 0

// never ends what has no end: it may take effect at any time after its start.
const never = math.MaxInt64

// line is an operation as it stands in a file.
type line struct {
	Session string  `json:"session"`
	Op      string  `json:"op"`
	Key     string  `json:"key"`
	Value   *string `json:"value"`
	Start   int64   `json:"start_ns"`
	End     int64   `json:"end_ns"`
	Status  string  `json:"status"`
	Version *int64  `json:"version"`
}

// operation is one that may have taken effect.
type operation struct {
	number    int // in the file, from 0
	session   int
	key       int
	write     bool
	value     int32
	versioned bool
	version   int64
	start     int64
	end       int64
	optional  bool  // nobody knows whether it took effect
	after     int   // so many certain operations of its session come before it
	above     int32 // so many certain writes of its key have smaller versions
}

// history holds what may have taken effect, in the order of the file.
type history struct {
	operations []operation
	keys       []string
	sessions   int
}

// names gives each name a number.
type names map[string]int

func (n names) number(name string) int {
	number, known := n[name]
	if !known {
		number = len(n)
		n[name] = number
	}
	return number
}

func readHistory(file string, versions bool) (*history, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var lines []line
	scanner := bufio.NewScanner(bytes.NewReader(content))
	scanner.Buffer(make([]byte, 1<<16), 1<<21)
	for scanner.Scan() {
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		var read line
		if err := json.Unmarshal(scanner.Bytes(), &read); err != nil {
			return nil, fmt.Errorf("%s: operation %d: %w", file, len(lines), err)
		}
		lines = append(lines, read)
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	return build(lines, versions), nil
}

// build leaves out what did not happen, reads without an answer, and writes that nobody knows of and nobody read: an
// order without them is right if, and only if, one with them is, for each may be left out, or come last.
func build(lines []line, versions bool) *history {
	seen := map[[2]string]bool{}
	nothing := map[string]bool{}
	for _, each := range lines {
		if each.Op == "read" && each.Status == "ok" {
			if each.Value == nil {
				nothing[each.Key] = true
			} else {
				seen[[2]string{each.Key, *each.Value}] = true
			}
		}
	}
	built := &history{}
	sessions, keys, values := names{}, names{}, names{"": null}
	certain := map[int]int{}
	for number, each := range lines {
		optional := each.Status == "unknown"
		unseen := each.Value == nil && !nothing[each.Key] ||
			each.Value != nil && !seen[[2]string{each.Key, *each.Value}]
		if each.Status == "fail" || optional && (each.Op == "read" || unseen) {
			continue
		}
		operation := operation{number: number, session: sessions.number(each.Session), key: keys.number(each.Key),
			write: each.Op == "write", start: each.Start, end: each.End, optional: optional, value: null}
		if each.Value != nil {
			operation.value = int32(values.number("=" + *each.Value))
		}
		if versions && operation.write && each.Version != nil {
			operation.versioned, operation.version = true, *each.Version
		}
		operation.after = certain[operation.session]
		if optional {
			operation.end = never
		} else {
			certain[operation.session]++
		}
		built.operations = append(built.operations, operation)
	}
	countSmaller(built.operations)
	built.sessions = len(sessions)
	built.keys = make([]string, len(keys))
	for name, number := range keys {
		built.keys[number] = name
	}
	return built
}

// countSmaller finds out how many certain writes of smaller version each write has.
func countSmaller(operations []operation) {
	versions := map[int][]int64{}
	for _, each := range operations {
		if each.versioned && !each.optional {
			versions[each.key] = append(versions[each.key], each.version)
		}
	}
	for _, ofKey := range versions {
		sort.Slice(ofKey, func(i, j int) bool { return ofKey[i] < ofKey[j] })
	}
	for i := range operations {
		each, ofKey := &operations[i], versions[operations[i].key]
		each.above = int32(sort.Search(len(ofKey), func(j int) bool { return ofKey[j] >= each.version }))
	}
}

// cell is a register.
type cell struct {
	value   int32
	written int32 // so many certain writes with versions
	version int64 // the largest
}

// unwritten is what each register holds at first.
var unwritten = cell{null, 0, math.MinInt64}

// apply says whether the operation fits a register that holds this, and what it holds then. By versions, a write comes
// after all of smaller ones: while one of these must still come, it does not fit, as that one never could. Where nobody
// knows whether it took effect, and it comes too late for that, it did not.
func (o *operation) apply(held cell) (bool, cell) {
	if !o.write {
		return held.value == o.value, held
	}
	if !o.versioned {
		return true, cell{o.value, held.written, held.version}
	}
	if held.written < o.above {
		return false, held
	}
	if o.version < held.version {
		return o.optional, held
	}
	written := held.written
	if !o.optional {
		written++
	}
	return true, cell{o.value, written, o.version}
}
