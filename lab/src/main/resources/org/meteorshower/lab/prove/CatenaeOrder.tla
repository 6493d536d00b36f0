---------------------------- MODULE CatenaeOrder ----------------------------
(***************************************************************************)
(* What Catenae (docs/CATENAE.md) makes of its lanes: one order in all     *)
(* data centres, answers that keep real time, nothing that runs twice, and *)
(* rows that are the same after a restart. That a lane decides each        *)
(* position once is taken from Catenae.tla.                                *)
(*                                                                         *)
(* Each data centre owns the lane of its number, and executes all lanes.   *)
(* Epochs are of any size and in any order: clocks are not to be relied    *)
(* on. There is one row, which holds the numbers of what has run: so all   *)
(* transactions conflict, and each sees all before it.                     *)
(*                                                                         *)
(* Left out: chains (transactions without common rows may overtake), which *)
(* positions of a lane are decided but not yet known to a data centre (at  *)
(* each step any), several transactions in one entry, who leads a lane     *)
(* when (anybody, at any time), sessions' expiry and resolve, snapshot     *)
(* reads and tokens, users' tables, editions, pages, budgets, dozing.      *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    N,          \* how many data centres, and lanes
    Last,       \* positions of a lane are 1 to this one
    Requests,   \* how many
    Retried,    \* whether the second has the number of the first: a client asks again
    Reads,      \* which of them are strict reads
    Askers,     \* data centres that clients ask
    Epochs,     \* 0 to this one
    Idle,       \* how many entries without a request are decided, at most: idle epochs, and holes that are filled
    Takeovers,  \* how often another data centre leads a lane, at most
    Crashes,    \* how often a process may end and another one begin, at most
    Cuts,       \* how often rows are written behind, at most
    Snapshots,  \* how often a snapshot may be offered, at most
    Executors,  \* data centres of which it is looked at what they execute
    Newcomers,  \* of these, those that execute nothing before they have taken a snapshot
    \* Rules; each is left out in a negative control.
    WaitsForSmaller,     \* an entry is merged once no lane can bring a smaller one
    MergedByEpoch,       \* entries are merged by their effective epochs
    EpochsRaised,        \* the effective epoch is above that of the entry before it in its lane
    Deduplicated,        \* a number that has run is answered with what came of it
    TakenOnce,           \* who leads another one's lane takes a ticket once per ballot
    RefusedIfNotTaken,   \* and says of none that it has proposed that it has not
    AgainIfDisplaced,    \* a request goes into a later entry once another one stands where its own would
    UnknownTold,         \* what was proposed or forwarded is not told as not proposed
    ReadsOrdered,        \* a strict read goes through a lane
    RowsBeforeDone,      \* a checkpoint is done when the tables have its rows
    ReadAsOfCheckpoint,  \* a new process reads rows as of its checkpoint
    VersionsKept,        \* the version as of the last checkpoint is kept
    PinKept              \* and that as of a snapshot that is being given

DCs == 0..(N - 1)
R == 1..Requests
Number(r) == IF Retried /\ r = 2 THEN 1 ELSE r
Nobody == 0  \* an entry without a request

Max(set) == CHOOSE x \in set : \A y \in set : y <= x
Range(s) == {s[i] : i \in DOMAIN s}

VARIABLES
    log,       \* by lane: what is decided
    proposals, \* entries that may be decided, with their places
    lead,      \* by lane: the other data centre that leads it, or has led it last
    told,      \* what was sent about forwarded requests: never taken back
    req,       \* by request: what its data centre knows of it, and what its client knows
    dc,        \* by data centre: what it has merged and executed, and what is on its disk
    results,   \* what came of which request at which place of the order, wherever it was executed
    used

vars == <<log, proposals, lead, told, req, dc, results, used>>

\* A place in the order, with what is needed to go on from there.
Start == [pos |-> [l \in DCs |-> 1], epochs |-> [l \in DCs |-> 0], order |-> <<>>]
NoPin == [at |-> Start, on |-> FALSE]

Init ==
    /\ log = [l \in DCs |-> <<>>]
    /\ proposals = {}
    /\ lead = [l \in DCs |-> [ballot |-> 0, on |-> FALSE, taken |-> {}, queue |-> {}, refused |-> 0]]
    /\ told = [forwards |-> {}, refusals |-> {}]
    /\ req = [r \in R |-> [state |-> "new", home |-> 0, p |-> 0, ballot |-> 0, before |-> {}, answer |-> "-",
                           seen |-> {}]]
    /\ dc = [d \in DCs |-> [at |-> Start, list |-> <<>>, most |-> 0, done |-> Start, table |-> {}, cut |-> Start,
                            cutList |-> <<>>, written |-> TRUE, pin |-> NoPin]]
    /\ results = {}
    /\ used = [idle |-> 0, takeovers |-> 0, crashes |-> 0, cuts |-> 0, snapshots |-> 0]

-----------------------------------------------------------------------------
(* Requests *)

Answered == {r \in R : req[r].answer = "done"}

Ask(r, d) ==
    /\ req[r].state = "new" /\ d \in Askers
    /\ \A earlier \in R : earlier < r => req[earlier].state # "new"
    /\ req' = [req EXCEPT ![r].state = "open", ![r].home = d, ![r].before = Answered]
    /\ UNCHANGED <<log, proposals, lead, told, dc, results, used>>

Open(l, r) == req[r].state = "open" /\ req[r].home = l

\* The next position of the lane where this process waits for nothing yet.
NextOwn(l) ==
    LET free == {p \in 1..Last : p > Len(log[l])
                   /\ ~\E r \in R : req[r].home = l /\ req[r].state = "proposed" /\ req[r].p = p}
    IN  IF free = {} THEN 0 ELSE CHOOSE p \in free : \A q \in free : p <= q

\* The owner of the lane closes an epoch.
Close(l, r, epoch) ==
    /\ Open(l, r) /\ NextOwn(l) > 0
    /\ proposals' = proposals \cup {[l |-> l, p |-> NextOwn(l), epoch |-> epoch, r |-> r]}
    /\ req' = [req EXCEPT ![r].state = "proposed", ![r].p = NextOwn(l)]
    /\ UNCHANGED <<log, lead, told, dc, results, used>>

\* It stands nowhere, and never will.
Again(r) ==
    LET l == req[r].home IN
    /\ req[r].state = "proposed"
    /\ AgainIfDisplaced => Len(log[l]) >= req[r].p /\ log[l][req[r].p].r # r
    /\ req' = [req EXCEPT ![r].state = "open"]
    /\ UNCHANGED <<log, proposals, lead, told, dc, results, used>>

\* Nobody waits any longer: the deadline has passed, or the process hands over to another one.
Late(r) ==
    /\ req[r].state \in {"open", "proposed", "forwarded"}
    /\ req' = [req EXCEPT ![r].state = "gone",
                          ![r].answer = IF req[r].state = "open" \/ ~UnknownTold THEN "refused" ELSE "unknown"]
    /\ UNCHANGED <<log, proposals, lead, told, dc, results, used>>

\* Only where the rule is left out.
ReadHere(r) ==
    /\ ~ReadsOrdered /\ r \in Reads /\ req[r].state = "open"
    /\ req' = [req EXCEPT ![r].state = "gone", ![r].answer = "done", ![r].seen = Range(dc[req[r].home].list)]
    /\ UNCHANGED <<log, proposals, lead, told, dc, results, used>>

-----------------------------------------------------------------------------
(* Another data centre leads the lane *)

TakeOver(l) ==
    /\ used.takeovers < Takeovers
    /\ used' = [used EXCEPT !.takeovers = @ + 1]
    /\ lead' = [lead EXCEPT ![l] = [@ EXCEPT !.ballot = @ + 1, !.on = TRUE, !.taken = {}, !.queue = {}]]
    /\ UNCHANGED <<log, proposals, told, req, dc, results>>

Forward(l, r) ==
    /\ Open(l, r) /\ lead[l].ballot > lead[l].refused
    /\ req' = [req EXCEPT ![r].state = "forwarded", ![r].ballot = lead[l].ballot]
    /\ told' = [told EXCEPT !.forwards = @ \cup {<<l, lead[l].ballot, r>>}]
    /\ UNCHANGED <<log, proposals, lead, dc, results, used>>

Refuse(l, rs) == told' = [told EXCEPT !.refusals = @ \cup {<<l, lead[l].ballot, r>> : r \in rs}]

\* However often the network brings it.
Receive(l, r) ==
    /\ <<l, lead[l].ballot, r>> \in told.forwards
    /\ IF lead[l].on
         THEN /\ TakenOnce => r \notin lead[l].taken
              /\ lead' = [lead EXCEPT ![l].taken = @ \cup {r}, ![l].queue = @ \cup {r}]
              /\ UNCHANGED told
         ELSE /\ RefusedIfNotTaken => r \notin lead[l].taken
              /\ Refuse(l, {r})
              /\ UNCHANGED lead
    /\ UNCHANGED <<log, proposals, req, dc, results, used>>

ProposeThere(l, r, p, epoch) ==
    /\ lead[l].on /\ r \in lead[l].queue /\ p > Len(log[l])
    /\ proposals' = proposals \cup {[l |-> l, p |-> p, epoch |-> epoch, r |-> r]}
    /\ lead' = [lead EXCEPT ![l].queue = @ \ {r}]
    /\ UNCHANGED <<log, told, req, dc, results, used>>

\* What waits goes back, and is as if it had never come.
GiveUp(l) ==
    /\ lead[l].on
    /\ lead' = [lead EXCEPT ![l] = [@ EXCEPT !.on = FALSE, !.taken = @ \ lead[l].queue, !.queue = {}]]
    /\ Refuse(l, lead[l].queue)
    /\ UNCHANGED <<log, proposals, req, dc, results, used>>

Refused(r) ==
    /\ req[r].state = "forwarded" /\ <<req[r].home, req[r].ballot, r>> \in told.refusals
    /\ req' = [req EXCEPT ![r].state = "open"]
    /\ lead' = [lead EXCEPT ![req[r].home].refused = Max({@, req[r].ballot})]
    /\ UNCHANGED <<log, proposals, told, dc, results, used>>

-----------------------------------------------------------------------------
(* Decisions, and the one order *)

Decide(l, entry) ==
    /\ Len(log[l]) < Last
    /\ log' = [log EXCEPT ![l] = Append(@, entry)]
    /\ UNCHANGED <<proposals, lead, told, req, dc, results>>

DecideProposal(m) ==
    /\ m.p = Len(log[m.l]) + 1
    /\ Decide(m.l, [epoch |-> m.epoch, r |-> m.r])
    /\ UNCHANGED used

DecideIdle(l, epoch) ==
    /\ used.idle < Idle
    /\ used' = [used EXCEPT !.idle = @ + 1]
    /\ Decide(l, [epoch |-> epoch, r |-> Nobody])

Least(at, l) == at.epochs[l] + 1
Effective(at, l) ==
    LET own == log[l][at.pos[l]].epoch IN
    IF ~MergedByEpoch THEN 0 ELSE IF EpochsRaised THEN Max({own, Least(at, l)}) ELSE own
Never == 1000

\* The lane of the next entry when these lanes' heads are known, and that entry's effective epoch.
Bound(at, heads, l) == IF l \in heads THEN Effective(at, l) ELSE IF WaitsForSmaller THEN Least(at, l) ELSE Never
IsNext(at, heads, l) ==
    \A other \in DCs : LET mine == Bound(at, heads, l)
                           others == Bound(at, heads, other)
                       IN  mine < others \/ (mine = others /\ l <= other)

\* What comes of a request: how many have run up to it.
Index(list, number) == CHOOSE i \in DOMAIN list : list[i] = number
Runs(list, r) == r # Nobody /\ r \notin Reads /\ (Deduplicated => Number(r) \notin Range(list))
After(list, r) == IF Runs(list, r) THEN Append(list, Number(r)) ELSE list
Result(list, r) ==
    IF r = Nobody THEN 0
    ELSE IF r \in Reads \/ ~Deduplicated THEN Len(After(list, r)) ELSE Index(After(list, r), Number(r))

MayExecute(d) == d \in Executors /\ (d \in Newcomers => dc[d].at # Start)

Merge(d) ==
    LET at == dc[d].at
        decided == {l \in DCs : at.pos[l] <= Len(log[l])}
    IN \E heads \in SUBSET decided : \E l \in heads :
        LET r == log[l][at.pos[l]].r
            list == dc[d].list
            place == <<l, at.pos[l]>>
            isMine == r # Nobody /\ l = d /\ req[r].home = d /\ req[r].state \in {"open", "proposed", "forwarded"}
        IN  /\ IsNext(at, heads, l)
            /\ dc' = [dc EXCEPT ![d].at = [pos |-> [at.pos EXCEPT ![l] = @ + 1],
                                           epochs |-> [at.epochs EXCEPT ![l] = Effective(at, l)],
                                           order |-> Append(at.order, place)],
                                ![d].list = After(list, r),
                                ![d].most = Max({@, Len(at.order) + 1})]
            /\ results' = results \cup {<<Len(at.order) + 1, place, Result(list, r)>>}
            /\ req' = IF ~isMine THEN req
                      ELSE [req EXCEPT ![r].state = "gone", ![r].answer = "done", ![r].seen = Range(list)]
            /\ UNCHANGED <<log, proposals, lead, told, used>>

-----------------------------------------------------------------------------
(* Rows are written behind *)

Count(at) == Len(at.order)

\* The row as of so many merged entries, of all its versions in the tables.
AsOf(table, count) ==
    LET covered == {v \in table : ~ReadAsOfCheckpoint \/ v.count <= count}
    IN  IF covered = {} THEN <<>> ELSE (CHOOSE v \in covered : \A w \in covered : w.count <= v.count).list

\* Versions below the newest one that is covered by what somebody may still read as of.
Needed(table, count) == {v \in table : \A w \in table : w.count <= count => w.count <= v.count}

BeginCut(d) ==
    /\ used.cuts < Cuts /\ dc[d].cut = dc[d].done /\ Count(dc[d].at) > Count(dc[d].done)
    /\ used' = [used EXCEPT !.cuts = @ + 1]
    /\ dc' = [dc EXCEPT ![d].cut = dc[d].at, ![d].cutList = dc[d].list, ![d].written = FALSE]
    /\ UNCHANGED <<log, proposals, lead, told, req, results>>

\* As of the cut, whatever has run since. What nobody can need any more goes.
WriteRow(d) ==
    LET s == dc[d]
        oldest == IF PinKept /\ s.pin.on THEN Count(s.pin.at) ELSE Count(s.done)
        kept == IF VersionsKept THEN Needed(s.table, oldest) ELSE {}
    IN  /\ ~s.written
        /\ dc' = [dc EXCEPT ![d].written = TRUE,
                            ![d].table = kept \cup {[count |-> Count(s.cut), list |-> s.cutList]}]
        /\ UNCHANGED <<log, proposals, lead, told, req, results, used>>

Done(d) ==
    /\ dc[d].cut # dc[d].done
    /\ RowsBeforeDone => dc[d].written
    /\ dc' = [dc EXCEPT ![d].done = dc[d].cut]
    /\ UNCHANGED <<log, proposals, lead, told, req, results, used>>

\* Another process begins, at the last checkpoint. Who waits there learns nothing more.
Restart(d) ==
    /\ used.crashes < Crashes
    /\ used' = [used EXCEPT !.crashes = @ + 1]
    /\ dc' = [dc EXCEPT ![d].at = dc[d].done, ![d].list = AsOf(dc[d].table, Count(dc[d].done)),
                        ![d].cut = dc[d].done, ![d].written = TRUE, ![d].pin = NoPin]
    /\ req' = [r \in R |-> IF req[r].home = d /\ req[r].state \in {"open", "proposed", "forwarded"}
                           THEN [req[r] EXCEPT !.state = "gone", !.answer = "unknown"] ELSE req[r]]
    /\ UNCHANGED <<log, proposals, lead, told, results>>

Offer(d) ==
    /\ used.snapshots < Snapshots /\ ~dc[d].pin.on
    /\ used' = [used EXCEPT !.snapshots = @ + 1]
    /\ dc' = [dc EXCEPT ![d].pin = [at |-> dc[d].done, on |-> TRUE]]
    /\ UNCHANGED <<log, proposals, lead, told, req, results>>

\* d takes what e has pinned: into an edition of its own, so nothing of its own rows is left.
Take(d, e) ==
    LET pin == dc[e].pin
        list == AsOf(dc[e].table, Count(pin.at))
    IN  /\ pin.on /\ Count(pin.at) > Count(dc[d].at)
        /\ dc' = [dc EXCEPT ![d] = [@ EXCEPT !.at = pin.at, !.list = list, !.done = pin.at, !.cut = pin.at,
                                             !.written = TRUE, !.pin = NoPin,
                                             !.table = {[count |-> Count(pin.at), list |-> list]}],
                            ![e].pin = NoPin]
        /\ UNCHANGED <<log, proposals, lead, told, req, results, used>>

Next ==
    \/ \E l \in DCs :
        \/ TakeOver(l) \/ GiveUp(l) \/ BeginCut(l) \/ WriteRow(l) \/ Done(l) \/ Restart(l) \/ Offer(l)
        \/ MayExecute(l) /\ Merge(l)
        \/ \E e \in DCs \ {l} : Take(l, e)
        \/ \E epoch \in 0..Epochs : DecideIdle(l, epoch)
        \/ \E r \in R :
            \/ Ask(r, l) \/ Forward(l, r) \/ Receive(l, r)
            \/ \E epoch \in 0..Epochs : Close(l, r, epoch) \/ \E p \in 1..Last : ProposeThere(l, r, p, epoch)
    \/ \E r \in R : Again(r) \/ Late(r) \/ ReadHere(r) \/ Refused(r)
    \/ \E m \in proposals : DecideProposal(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
IsPrefix(s, t) == Len(s) <= Len(t) /\ \A i \in DOMAIN s : s[i] = t[i]

\* All data centres merge the same.
OneOrder == \A d \in DCs : \A e \in DCs :
    IsPrefix(dc[d].at.order, dc[e].at.order) \/ IsPrefix(dc[e].at.order, dc[d].at.order)

\* What was answered before another one was asked for comes before it.
Asked(place) == log[place[1]][place[2]].r
RealTime == \A d \in DCs : LET order == dc[d].at.order IN
    \A i \in DOMAIN order : Asked(order[i]) # Nobody =>
        \A a \in req[Asked(order[i])].before :
            (~ReadsOrdered /\ a \in Reads) \/ \E j \in 1..(i - 1) : Asked(order[j]) = a

\* Without a number a request stands in one place only; with one it runs once.
RunsOnce == \A d \in DCs : Cardinality(Range(dc[d].list)) = Len(dc[d].list)
Places(r) == {<<l, p>> \in DCs \X (1..Last) : p <= Len(log[l]) /\ log[l][p].r = r}
StandsOnce == \A r \in R : Cardinality(Places(r)) <= 1

RefusedNeverRuns == \A r \in R : req[r].answer = "refused" => Places(r) = {}

\* Wherever and however often an entry is executed, the same comes of it.
SameResults == \A x \in results : \A y \in results : x[1] = y[1] => x = y

ReadsSee == \A r \in Reads : req[r].answer = "done" =>
    \A a \in req[r].before \ Reads : Number(a) \in req[r].seen

StrictlySerializable == OneOrder /\ RealTime /\ RunsOnce /\ StandsOnce /\ RefusedNeverRuns /\ SameResults /\ ReadsSee

-----------------------------------------------------------------------------
(* Probes: each is reached, or the invariant above would be of nothing. *)

NothingIsRedone == \A d \in DCs :
    ~(Count(dc[d].done) > 0 /\ Count(dc[d].at) > Count(dc[d].done) /\ Count(dc[d].at) < dc[d].most)
NobodyIsLeftInDoubt == \A r \in R : ~(req[r].answer = "unknown" /\ Places(r) # {})
NothingIsAskedAgain == \A r \in R : ~(req[r].state = "open" /\ req[r].p > 0)
NothingIsForwarded == \A r \in R : ~(req[r].answer = "done" /\ req[r].ballot > 0 /\ req[r].p = 0)
NoSnapshotIsTaken == \A d \in DCs : Count(dc[d].at) <= dc[d].most
NoLaterEpochComesFirst == \A d \in DCs : LET order == dc[d].at.order IN
    \A i \in 1..(Len(order) - 1) :
        log[order[i][1]][order[i][2]].epoch <= log[order[i + 1][1]][order[i + 1][2]].epoch
=============================================================================
