// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	enumsspb "go.temporal.io/server/api/enums/v1"
	"go.temporal.io/server/chasm"
	p "go.temporal.io/server/common/persistence"
	"go.temporal.io/server/common/persistence/serialization"
)

// TestMeteorShowerLatency tells how long it takes to create, update and get a workflow execution, one after the other,
// METEORSHOWER_LATENCIES times.
func TestMeteorShowerLatency(t *testing.T) {
	times, err := strconv.Atoi(os.Getenv("METEORSHOWER_LATENCIES"))
	if err != nil {
		t.Skip("METEORSHOWER_LATENCIES is not set")
	}
	testData, tearDown := setUpCassandraTest(t)
	defer tearDown()
	shards, err := testData.Factory.NewShardStore()
	require.NoError(t, err)
	executions, err := testData.Factory.NewExecutionStore()
	require.NoError(t, err)
	s := NewExecutionMutableStateSuite(t, shards, executions, serialization.NewSerializer(), testData.Logger)
	s.SetT(t)
	s.SetupSuite()
	took := map[string][]time.Duration{}
	for range times {
		s.SetupTest()
		oneExecution(t, s, took)
		s.TearDownTest()
	}
	for _, what := range []string{"create", "update", "get"} {
		each := took[what]
		slices.Sort(each)
		at := func(q float64) float64 { return float64(each[int(q*float64(len(each)-1))].Microseconds()) / 1000 }
		fmt.Printf("LATENCY %-6s of %d: p50 %.1f, p90 %.1f, p99 %.1f, max %.1f ms\n",
			what, len(each), at(.5), at(.9), at(.99), at(1))
	}
}

func oneExecution(t *testing.T, s *ExecutionMutableStateSuite, took map[string][]time.Duration) {
	timed := func(what string, done func() error) {
		begun := time.Now()
		require.NoError(t, done())
		took[what] = append(took[what], time.Since(begun))
	}
	var branch []byte
	var snapshot *p.WorkflowSnapshot
	timed("create", func() error {
		branch, snapshot, _ = s.CreateWorkflow(rand.Int63(), enumsspb.WORKFLOW_EXECUTION_STATE_CREATED,
			enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, rand.Int63())
		return nil
	})
	mutation, events := RandomMutation(t, s.NamespaceID, s.WorkflowID, s.RunID, snapshot.NextEventID, rand.Int63(),
		enumsspb.WORKFLOW_EXECUTION_STATE_RUNNING, enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING,
		snapshot.DBRecordVersion+1, branch)
	timed("update", func() error {
		_, err := s.ExecutionManager.UpdateWorkflowExecution(s.Ctx, &p.UpdateWorkflowExecutionRequest{
			ShardID: s.ShardID, RangeID: s.RangeID, Mode: p.UpdateWorkflowModeUpdateCurrent,
			ArchetypeID: chasm.WorkflowArchetypeID, UpdateWorkflowMutation: *mutation, UpdateWorkflowEvents: events})
		return err
	})
	timed("get", func() error {
		_, err := s.ExecutionManager.GetWorkflowExecution(s.Ctx, &p.GetWorkflowExecutionRequest{
			ShardID: s.ShardID, NamespaceID: s.NamespaceID, WorkflowID: s.WorkflowID, RunID: s.RunID,
			ArchetypeID: chasm.WorkflowArchetypeID})
		return err
	})
}
