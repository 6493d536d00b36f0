// SPDX-License-Identifier: Apache-2.0

// Command secondopinion has Porcupine judge recorded histories (docs/HISTORY_FORMAT.md). It reads a request a line, a
// JSON object, and answers each with a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// request is one question.
type request struct {
	// File holds the history.
	File string `json:"file"`
	// Model is "linearizable" or "sequential".
	Model string `json:"model"`
	// Versions says whether the writes of a key come in the order of their versions.
	Versions bool `json:"versions"`
	// Order is what is tried first: operations by number, from 0. Any order will do, and none, too.
	Order []int `json:"order"`
	// TimeoutMs is how long it may take.
	TimeoutMs int64 `json:"timeout_ms"`
}

// answer says "accepted", "refused", "open" (not in time) or "error".
type answer struct {
	Verdict string `json:"verdict"`
	Why     string `json:"why"`
}

func main() {
	requests := bufio.NewReaderSize(os.Stdin, 1<<16)
	answers := json.NewEncoder(os.Stdout)
	for {
		line, err := requests.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		if err == nil {
			err = answers.Encode(respond(line))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func respond(line []byte) answer {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{"error", err.Error()}
	}
	history, err := readHistory(asked.File, asked.Versions)
	if err != nil {
		return answer{"error", err.Error()}
	}
	timeout := time.Duration(asked.TimeoutMs) * time.Millisecond
	switch asked.Model {
	case "linearizable":
		return linearizable(history, asked.Order, timeout)
	case "sequential":
		return sequential(history, asked.Order, timeout)
	}
	return answer{"error", "no model is called " + asked.Model}
}
