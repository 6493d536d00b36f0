--------------------------- MODULE ReadsAtACutTrace ---------------------------
(***************************************************************************)
(* Holds recorded runs of the core to ReadsAtACut.tla: run r is accepted   *)
(* if its steps, one after the other, are steps of the specification with  *)
(* the parameters that were recorded. Each behaviour is one run; there is  *)
(* at most one next state, but for choices of which nothing was recorded.  *)
(*                                                                         *)
(* A step is a tuple: an action's name and its parameters, in the order in *)
(* which Step, below, takes them. TraceData has the runs.                  *)
(***************************************************************************)
EXTENDS ReadsAtACut, TLC, TraceData

CONSTANTS
    Verbose \* whether each step is told before it is tried, and what speaks against it

VARIABLES
    run,
    at      \* the step that comes next

Steps == Runs[run].steps
Done == at > Len(Steps)

\* What ReadsAtACut takes for constant is of each run here; the configuration replaces it by these.
RunSessions == 1..Runs[run].sessions
AllSessions == 1..MostSessions
AllWrites == 1..MostWrites
RunKeyOf(w) == IF w \in DOMAIN Runs[run].keys THEN Runs[run].keys[w] ELSE "x"
RunOp(s, i) == Runs[run].programs[s][i]
RunOps(s) == IF s \in DOMAIN Runs[run].programs THEN Len(Runs[run].programs[s]) ELSE 0

Recorded(stamps, w) == IF w \in DOMAIN stamps THEN stamps[w] ELSE 0

\* What a node has promised, at whatever time, is told; and its clock may have gone ahead by itself.
StampStep(n, w, time, promised) ==
    LET least == Max(clock[n], promised)
        ticked == IF time > ts[w] THEN time - 1 ELSE least
    IN ticked >= least /\ StampAt(n, w, ticked) /\ stamp'[n][w] = time

\* After a restart, of something that was forgotten before: it is in the store, and visible. It counts by its first
\* stamp, also for those who hear of the second one.
AgainStep(n, w, time, promised) ==
    /\ w \in retired[n] /\ time > promised /\ time >= ts[w]
    /\ UNCHANGED vars

Said(stamps) == {w \in Writes : Recorded(stamps, w) # 0}
ToldBy(p, m) == {w \in Writes : stamp[p][w] # 0 /\ stamp[p][w] <= m}
HeardAll(n, p, m, stamps) == ToldBy(p, m) \ (retired[p] \cup retired[n]) \subseteq Said(stamps)
HeardRight(n, p, stamps) ==
    \A w \in Said(stamps) \ retired[n] :
        stamp[p][w] = Recorded(stamps, w) \/ (w \in retired[p] /\ stamp[p][w] < Recorded(stamps, w))
KnowsStill(n, p, stamps) == \A w \in Writes \ (Said(stamps) \cup retired[n]) : heard[n][p][w] = 0

HearStep(n, p, m, stamps) ==
    IF m >= covered[n][p] /\ HeardRight(n, p, stamps) /\ KnowsStill(n, p, stamps) /\ HeardAll(n, p, m, stamps)
    THEN HearOf(n, p, m, (Said(stamps) \ retired[n]) \cup (ToldBy(p, m) \cap retired[n]))
    ELSE FALSE

\* A copy of the write is acknowledged as the first one was.
LateStep(n, w, t) == IF late[n][w] = t THEN UNCHANGED vars ELSE ComeLateAt(n, w, t)

StoreStep(n, w) == IF w \in stored[n] THEN UNCHANGED vars ELSE Store(n, w)

AskStep(n, p, w) ==
    IF w \in retired[n] \cup told[n] THEN UNCHANGED vars ELSE IF w \in retired[p] THEN Ask(n, p, w) ELSE FALSE

\* Let pass, though the specification does not allow it: n is told that w is done with, and forgets it, though a third
\* node has crashed since it heard of n's stamp, which n does not know yet.
LetPass(n, w) == w \in told[n] /\ \A p \in Readers \ {n} : WasEverTold(n, p, w)

RetireStep(n, w) ==
    IF w \in retired[n] THEN UNCHANGED vars ELSE IF LetPass(n, w) THEN Forget(n, w) ELSE Retire(n, w)

\* Of a write that is done with somewhere, the time may be a later one.
MayEnd(s, w, known) ==
    \/ \E t \in StampsOfEnough(w) : Max(token[s], t) = known
    \/ \E t \in DoneWith(w) : t <= known

EndStep(s, known) == IF Busy(s) /\ MayEnd(s, Next1(s).write, known) THEN EndAt(s, known) ELSE FALSE

ReadStep(s, n, t, value) == Read(s, n, t) /\ done'[s][Len(done'[s])] = value

JournalOf(n) == {w \in Writes \ retired[n] : stamp[n][w] # 0}
RestartStep(n, stamps) ==
    IF \A w \in Writes \ retired[n] : Recorded(stamps, w) = stamp[n][w] THEN Restart(n) ELSE FALSE

Step(e) ==
    CASE e[1] = "begin"   -> BeginAt(e[2], e[3], e[5]) /\ ts'[e[4]] = e[5]
      [] e[1] = "stamp"   -> e[3] \in Writes /\ StampStep(e[2], e[3], e[4], e[5])
      [] e[1] = "again"   -> e[3] \in Writes /\ AgainStep(e[2], e[3], e[4], e[5])
      [] e[1] = "store"   -> e[3] \in Writes /\ StoreStep(e[2], e[3])
      [] e[1] = "late"    -> e[3] \in Writes /\ LateStep(e[2], e[3], e[4])
      [] e[1] = "hear"    -> HearStep(e[2], e[3], e[4], e[5])
      [] e[1] = "ask"     -> AskStep(e[2], e[3], e[4])
      [] e[1] = "retire"  -> e[3] \in Writes /\ RetireStep(e[2], e[3])
      [] e[1] = "read"    -> ReadStep(e[2], e[3], e[4], e[5])
      [] e[1] = "end"     -> EndStep(e[2], e[3])
      [] e[1] = "give-up" -> GiveUp(e[2])
      [] e[1] = "restart" -> RestartStep(e[2], e[3])

-----------------------------------------------------------------------------
(* Why a step is none of the specification, for people. *)

Not(conditions) == {each[1] : each \in {each \in conditions : ~each[2]}}

Why(e) ==
    CASE e[1] = "begin" ->
            LET s == e[2] IN
            Not({<<"its session is at another operation", Busy(s) /\ Next1(s).write = e[4]>>,
                 <<"its timestamp is not above its session's token", e[5] > token[s]>>,
                 <<"its timestamp is not above its coordinator's clock", e[5] > clock[e[3]]>>})
      [] e[1] \in {"stamp", "again"} ->
            IF e[3] = 0 THEN {"no client has begun it"}
            ELSE LET n == e[2] w == e[3] IN
            Not({<<"no client has begun it", ts[w] # 0>>,
                 <<"it has another stamp here, and was not forgotten", stamp[n][w] = 0 \/ w \in retired[n]>>,
                 <<"the stamp is below the write's timestamp", e[4] >= ts[w]>>,
                 <<"the stamp is not above a time that this node had promised", e[4] > e[5]>>,
                 <<"the stamp is not above this node's clock, as others heard it or reads were given it",
                   e[4] > clock[n]>>})
      [] e[1] = "store" ->
            IF e[3] = 0 THEN {"no client has begun it"} ELSE Not({<<"it is not stamped", stamp[e[2]][e[3]] # 0>>})
      [] e[1] = "late" ->
            {"nothing that overtook it was forgotten here by then, or it was acknowledged with another time"}
      [] e[1] = "hear" ->
            LET n == e[2] p == e[3] IN
            Not({<<"it knows less of that peer's time than before", e[4] >= covered[n][p]>>,
                 <<"it has heard a stamp that the peer has not given", HeardRight(n, p, e[5])>>,
                 <<"it does not know any more what it had heard", KnowsStill(n, p, e[5])>>,
                 <<"it counts a time of that peer's, and was not told of all that the peer had stamped up to then",
                   HeardAll(n, p, e[4], e[5])>>})
      [] e[1] = "ask" -> {"that peer has not forgotten it"}
      [] e[1] = "retire" ->
            IF e[3] = 0 THEN {"no client has begun it"}
            ELSE LET n == e[2] w == e[3] IN
            Not({<<"it is not in the store", w \in stored[n]>>,
                 <<"this node does not know that all replicas have stamped it",
                   \A p \in Nodes : StampOf(n, p, w) # 0>>,
                 <<"this node covers no cut at which it is visible", Covers(n, Tau(w))>>,
                 <<"a peer has not heard of this node's stamp", \A p \in Nodes \ {n} : WasTold(n, p, w)>>,
                 <<"nothing that overtook it was forgotten here", FALSE>>})
      [] e[1] = "read" ->
            LET s == e[2] n == e[3] t == e[4] IN
            IF ~Busy(s) \/ Next1(s).write # 0 THEN {"its session is at another operation"}
            ELSE LET answer == ValueAt(n, Next1(s).key, t) IN
            Not({<<"the cut is below the session's token", t >= token[s]>>,
                 <<"the cut is below what was forgotten here, or before the node's restart",
                   t >= floor[n][Next1(s).key]>>,
                 <<"too few are heard up to the cut", Covers(n, t)>>,
                 <<"a write may be visible at the cut or not, or what is visible is not here", answer.may>>,
                 <<"it is not what is visible at the cut", ~answer.may \/ answer.value = e[5]>>})
      [] e[1] = "end" ->
            LET s == e[2] IN
            IF ~Busy(s) \/ Next1(s).write = 0 THEN {"its session is at another operation"}
            ELSE IF StampsOfEnough(Next1(s).write) \cup DoneWith(Next1(s).write) = {}
            THEN {"too few have stamped it"}
            ELSE {"the session's token is not the latest stamp of enough that have it, nor what it was before"}
      [] e[1] = "give-up" -> {"its session is at another operation"}
      [] e[1] = "restart" ->
            LET n == e[2] IN
            Not({<<"what was stamped here and not forgotten is not known after the restart",
                   \A w \in JournalOf(n) : Recorded(e[3], w) = stamp[n][w]>>,
                 <<"something is known as stamped here that was not",
                   \A w \in Said(e[3]) \ retired[n] : stamp[n][w] # 0>>})

-----------------------------------------------------------------------------
TraceInit == run \in DOMAIN Runs /\ at = 1 /\ Init

TraceNext ==
    /\ ~Done
    /\ IF Verbose THEN PrintT(<<"at", run, at, Why(Steps[at])>>) ELSE TRUE
    /\ Step(Steps[at])
    /\ at' = at + 1
    /\ UNCHANGED run
    /\ IF at = Len(Steps) THEN PrintT(<<"accepted", run>>) ELSE TRUE

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, run, at>>
=============================================================================
