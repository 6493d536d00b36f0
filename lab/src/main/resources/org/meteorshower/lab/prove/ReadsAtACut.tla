------------------------------ MODULE ReadsAtACut ------------------------------
(***************************************************************************)
(* Sequential reads (docs/ARCHITECTURE.md, "Reads at a cut"): three        *)
(* replicas that stamp writes, tell each other what they have stamped, and *)
(* answer reads by what they have heard; with hints, failures, crashes and *)
(* forgetting. What is checked is what clients see: there is an order of   *)
(* all operations that fits each session's own, in which each read returns *)
(* the latest write before it (Sequential).                                *)
(*                                                                         *)
(* Left out: cells (a write is of one cell), equal timestamps, physical    *)
(* clocks (a hybrid one goes ahead at any time), loss of data, changes of  *)
(* the ring, the time between a read of the store and its decision, what a *)
(* stream of messages is made of: a message of any age may come at any     *)
(* time, and brings all that its sender had stamped up to its time.        *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, Sequences

CONSTANTS
    Case,         \* which sessions there are: see Program
    MaxClock,     \* no clock goes further
    WriteQuorum,
    Readers,      \* nodes that serve reads
    Lead,         \* how far a timestamp may be ahead of its coordinator's clock
    Restarts,     \* how often readers restart, at most
    Failures,     \* whether a session may give up a write
    Forgets,      \* whether records are retired
    StoredLater,  \* whether a write reaches the store some time after it was stamped
    AsBuilt,      \* whether a node may do all that the core does, where that is more than the rules' plainest form:
                  \* it stamps what was overtaken, or forgets it unstamped; a stamp counts before the store has it, and
                  \* is shown from memory; who has forgotten a write tells others, and its coordinator may end it
    \* Rules; each is left out in a negative control.
    AtACut,            \* what is read is of one moment; without: the latest that enough are known to have, as published
    TokenHeeded,       \* a read's cut is not below its session's token
    TokenOfWrites,     \* a write that ends raises the token to the stamps that acknowledged it
    TimestampsAbove,   \* a write's timestamp is above its session's token
    StampsAbove,       \* a stamp is above all that its node has told
    NoGaps,            \* who is told of a time is told of all that was stamped up to then
    ReadQuorumCovers,  \* as many nodes cover a cut as a read quorum has
    DecidedOnly,       \* a write that may be visible at a cut or not is not guessed at
    HistoryUsed,       \* what is not visible yet is not shown, though it is in the store
    PresentOnly,       \* what is visible must have reached the store
    CutsPass,          \* who has answered at a cut stamps above it
    CeilingKept,       \* a clock does not go back in a crash
    JournalKept,       \* what was stamped is stamped after a crash
    SilenceIsNoAnswer, \* who restarted does not take a peer's silence on its own records for a no
    ForgottenByAll,    \* a record is retired once all replicas have stamped
    ForgottenIfHeard,  \* and have heard of this replica's stamp
    ToldThisLife,      \* since they last crashed, unless they had stamped it themselves
    CutsAfterForgotten,\* and no cut before that is used any more
    LateWithCut        \* a write that was overtaken is acknowledged with a cut at which that shows

Nodes == 0..2
ReadQuorum == 3 - WriteQuorum + 1
Times == 0..MaxClock
Max(a, b) == IF a > b THEN a ELSE b
Ended == 98
GivenUp == 99

W(id, key) == [write |-> id, key |-> key]
R(key) == [write |-> 0, key |-> key]

\* What each session does, one after the other.
Program ==
    CASE Case = "reader"    -> << <<W(1, "x")>>, <<R("x"), R("x")>> >>
      [] Case = "own-write" -> << <<W(1, "x"), R("x")>>, <<R("x")>> >>
      [] Case = "twice"     -> << <<W(1, "x"), W(2, "x"), R("x")>> >>
      [] Case = "crosswise" -> << <<W(1, "x"), R("y")>>, <<W(2, "y"), R("x")>> >>
      [] Case = "rivals"    -> << <<W(1, "x"), R("x")>>, <<W(2, "x"), R("x")>> >>
      [] Case = "causes"    -> << <<W(1, "x")>>, <<R("x"), W(2, "y")>>, <<R("y"), R("x")>> >>
      [] Case = "overtaken" -> << <<W(1, "x"), R("x")>>, <<W(2, "x")>> >>
      [] Case = "opposite"  -> << <<W(1, "x")>>, <<W(2, "y")>>, <<R("x"), R("y")>>, <<R("y"), R("x")>> >>

Sessions == DOMAIN Program
Op(s, i) == Program[s][i]
Ops(s) == Len(Program[s])
Writes == {Program[s][i].write : <<s, i>> \in {<<s, i>> \in Sessions \X (1..3) : i \in DOMAIN Program[s]}} \ {0}
Keys == {"x", "y"}
KeyOf(w) == LET at == CHOOSE p \in Sessions \X (1..3) : p[2] \in DOMAIN Program[p[1]] /\ Program[p[1]][p[2]].write = w
            IN Program[at[1]][at[2]].key

VARIABLES
    clock,     \* by node
    ts,        \* by write: its timestamp; 0 before it begins
    stamp,     \* stamp[n][w]: 0 if there is none
    stored,    \* by node: what its store has
    late,      \* late[n][w]: the cut with which n acknowledged it, since it was overtaken; 0 if it did not
    retired,   \* by node: what it keeps no record of
    floor,     \* floor[n][k]: n uses no cut below for that key
    covered,   \* covered[n][p]: up to which time n has heard all of p
    heard,     \* heard[n][p][w]: the stamp of which n has heard
    unasked,   \* by node: pairs of a peer and a write of its own journal of which that peer's word is needed
    told,      \* by node: of what it keeps a record, and a peer said that it is done with
    acked,     \* by node: a peer, a write of whose stamp there it has heard, and whether it knows that after a crash
    token,     \* by session
    done,      \* by session: what its operations so far returned: a read its value, a write Ended or GivenUp
    restarts

vars == <<clock, ts, stamp, stored, late, retired, floor, covered, heard, unasked, told, acked, token, done,
          restarts>>
nodeVars == <<stored, late, retired, floor, covered, heard, unasked, told, acked>>

None == [w \in Writes |-> 0]

Init ==
    /\ clock = [n \in Nodes |-> 0]
    /\ ts = None
    /\ stamp = [n \in Nodes |-> None]
    /\ stored = [n \in Nodes |-> {}]
    /\ late = [n \in Nodes |-> None]
    /\ retired = [n \in Nodes |-> {}]
    /\ floor = [n \in Readers |-> [k \in Keys |-> 0]]
    /\ covered = [n \in Readers |-> [p \in Nodes |-> 0]]
    /\ heard = [n \in Readers |-> [p \in Nodes |-> None]]
    /\ unasked = [n \in Readers |-> {}]
    /\ told = [n \in Readers |-> {}]
    /\ acked = [n \in Nodes |-> {}]
    /\ token = [s \in Sessions |-> 0]
    /\ done = [s \in Sessions |-> <<>>]
    /\ restarts = 0

Next1(s) == Op(s, Len(done[s]) + 1)
Busy(s) == Len(done[s]) < Ops(s)
Returns(s, value) == done' = [done EXCEPT ![s] = Append(@, value)]

\* The time at which a write is visible; 0 if it is not.
Tau(w) ==
    LET by(t) == Cardinality({n \in Nodes : stamp[n][w] # 0 /\ stamp[n][w] <= t})
        at == {t \in {stamp[n][w] : n \in Nodes} \ {0} : by(t) >= WriteQuorum}
    IN IF at = {} THEN 0 ELSE CHOOSE t \in at : \A other \in at : t <= other

-----------------------------------------------------------------------------
(* Writes *)

LeastTimestamp(s, c) == Max(clock[c], IF TimestampsAbove THEN token[s] ELSE 0) + 1

BeginAt(s, c, t) ==
    /\ Busy(s) /\ Next1(s).write # 0 /\ ts[Next1(s).write] = 0
    /\ t >= LeastTimestamp(s, c) /\ t \in Times /\ \A other \in Writes : ts[other] # t
    /\ ts' = [ts EXCEPT ![Next1(s).write] = t]
    /\ clock' = [clock EXCEPT ![c] = Max(@, token[s])]
    /\ UNCHANGED <<stamp, nodeVars, token, done, restarts>>

Begin(s, c) == \E t \in LeastTimestamp(s, c)..(LeastTimestamp(s, c) + Lead) : BeginAt(s, c, t)

Overtaking(n, w) == {v \in retired[n] : KeyOf(v) = KeyOf(w) /\ ts[v] > ts[w]}

\* When n's clock has come to the time given.
StampAt(n, w, ticked) ==
    /\ ts[w] # 0 /\ stamp[n][w] = 0
    /\ AsBuilt \/ (w \notin retired[n] /\ Overtaking(n, w) = {})
    /\ LET at == IF StampsAbove THEN Max(ticked + 1, ts[w]) ELSE ts[w]
       IN /\ at \in Times
          /\ stamp' = [stamp EXCEPT ![n][w] = at]
          /\ clock' = [clock EXCEPT ![n] = IF at = ticked + 1 THEN at ELSE ticked]
    /\ stored' = IF StoredLater THEN stored ELSE [stored EXCEPT ![n] = @ \cup {w}]
    /\ UNCHANGED <<ts, late, retired, floor, covered, heard, unasked, told, acked, token, done, restarts>>

Stamp(n, w) == StampAt(n, w, clock[n])

Store(n, w) ==
    /\ stamp[n][w] # 0 /\ w \notin stored[n]
    /\ stored' = [stored EXCEPT ![n] = @ \cup {w}]
    /\ UNCHANGED <<clock, ts, stamp, late, retired, floor, covered, heard, unasked, told, acked, token, done, restarts>>

Least(times) == CHOOSE t \in times : \A other \in times : t <= other

LeastLate(n, w) == Least({Tau(v) : v \in Overtaking(n, w)})

ComeLateAt(n, w, t) ==
    /\ ts[w] # 0 /\ stamp[n][w] = 0 /\ late[n][w] = 0 /\ Overtaking(n, w) # {}
    /\ t >= LeastLate(n, w)
    /\ late' = [late EXCEPT ![n][w] = t]
    /\ UNCHANGED <<clock, ts, stamp, stored, retired, floor, covered, heard, unasked, told, acked, token, done, restarts>>

ComeLate(n, w) == Overtaking(n, w) # {} /\ ComeLateAt(n, w, LeastLate(n, w))

\* What n acknowledges it with; 0 if it does not.
Acknowledged(n, w) == IF w \in stored[n] \/ (AsBuilt /\ stamp[n][w] # 0) THEN stamp[n][w] ELSE late[n][w]
Counts(n, w) == IF ~LateWithCut /\ late[n][w] # 0 THEN 0 ELSE Acknowledged(n, w)

EndAt(s, t) ==
    /\ Busy(s) /\ Next1(s).write # 0
    /\ token' = [token EXCEPT ![s] = IF TokenOfWrites THEN Max(@, t) ELSE @]
    /\ Returns(s, Ended)
    /\ UNCHANGED <<clock, ts, stamp, nodeVars, restarts>>

\* The latest stamp of enough that acknowledge it.
StampsOfEnough(w) ==
    {CHOOSE t \in {Counts(n, w) : n \in quorum} : \A n \in quorum : Counts(n, w) <= t :
        quorum \in {some \in SUBSET {n \in Nodes : Acknowledged(n, w) # 0} : Cardinality(some) = WriteQuorum}}

\* From when on a node that has forgotten the write knows that it shows, or what overtook it.
DoneWith(w) ==
    IF ~AsBuilt THEN {}
    ELSE {IF Overtaking(n, w) = {} THEN Tau(w) ELSE LeastLate(n, w) :
            n \in {n \in Nodes : w \in retired[n] /\ (Overtaking(n, w) # {} \/ Tau(w) # 0)}}

End(s) ==
    /\ Busy(s) /\ Next1(s).write # 0
    /\ \E t \in StampsOfEnough(Next1(s).write) \cup DoneWith(Next1(s).write) : EndAt(s, t)

GiveUp(s) ==
    /\ Failures
    /\ Busy(s) /\ Next1(s).write # 0 /\ ts[Next1(s).write] # 0
    /\ Returns(s, GivenUp)
    /\ UNCHANGED <<clock, ts, stamp, nodeVars, token, restarts>>

-----------------------------------------------------------------------------
(* Status messages *)

\* Of time m. It tells what p has stamped up to then, and perhaps (pending) what it has stamped ahead of that.
HearOf(n, p, m, brought) ==
    /\ p # n
    /\ covered' = [covered EXCEPT ![n][p] = m]
    /\ clock' = [clock EXCEPT ![p] = Max(@, m), ![n] = Max(@, m)]
    /\ heard' = [heard EXCEPT ![n][p] = [w \in Writes |-> IF w \in brought THEN stamp[p][w] ELSE @[w]]]
    /\ acked' = IF AsBuilt THEN [acked EXCEPT ![p] = @ \cup {<<n, w, TRUE>> : w \in brought}] ELSE acked
    /\ UNCHANGED <<ts, stamp, stored, late, retired, floor, unasked, told, token, done, restarts>>

Hear(n, p, m, pending) ==
    /\ m > covered[n][p]
    /\ \E missed \in IF NoGaps THEN {{}} ELSE SUBSET Writes :
         HearOf(n, p, m, {w \in Writes :
             stamp[p][w] # 0 /\ w \notin retired[p] \cup missed /\ (pending \/ stamp[p][w] <= m)})

\* By what cut a write is done with, where p keeps no record of it.
DoneAt(p, w) ==
    IF \A n \in Nodes : stamp[n][w] # 0 THEN Tau(w)
    ELSE IF Overtaking(p, w) = {} THEN IF Tau(w) # 0 THEN Tau(w) ELSE floor[p][KeyOf(w)]
    ELSE Least({Tau(v) : v \in Overtaking(p, w)})

Ask(n, p, w) ==
    /\ <<p, w>> \in unasked[n] \/ (AsBuilt /\ w \in retired[p] /\ w \notin retired[n] \cup told[n])
    /\ unasked' = [unasked EXCEPT ![n] = @ \ {<<p, w>>}]
    /\ IF w \in retired[p]
       THEN /\ told' = [told EXCEPT ![n] = @ \cup {w}]
            /\ floor' = [floor EXCEPT ![n][KeyOf(w)] = Max(@, DoneAt(p, w))]
            /\ UNCHANGED heard
       ELSE /\ heard' = [heard EXCEPT ![n][p][w] = stamp[p][w]]
            /\ UNCHANGED <<told, floor>>
    /\ UNCHANGED <<clock, ts, stamp, stored, late, retired, covered, acked, token, done, restarts>>

-----------------------------------------------------------------------------
(* Reads *)

\* Its own clock is no hindrance: a read puts it to its cut.
Covers(n, t) ==
    Cardinality({p \in Nodes : p = n \/ covered[n][p] >= t})
        >= IF ReadQuorumCovers THEN ReadQuorum ELSE ReadQuorum - 1

DoneWithAt(n, w) == w \in retired[n] \cup told[n]
KnownAt(n, w) == stamp[n][w] # 0 \/ DoneWithAt(n, w) \/ \E p \in Nodes : heard[n][p][w] # 0

StampOf(n, p, w) == IF p = n THEN stamp[n][w] ELSE heard[n][p][w]

\* p has it at t, as far as n knows.
Yes(n, p, w, t) == StampOf(n, p, w) # 0 /\ StampOf(n, p, w) <= t

\* p cannot have it at t.
No(n, p, w, t) ==
    IF StampOf(n, p, w) # 0 THEN StampOf(n, p, w) > t
    ELSE \/ ts[w] > t
         \/ p = n
         \/ covered[n][p] >= t /\ (SilenceIsNoAnswer => <<p, w>> \notin unasked[n])

Visible(n, w, t) == DoneWithAt(n, w) \/ Cardinality({p \in Nodes : Yes(n, p, w, t)}) >= WriteQuorum
Invisible(n, w, t) == ~DoneWithAt(n, w) /\ Cardinality({p \in Nodes : ~No(n, p, w, t)}) < WriteQuorum

Latest(writes) == IF writes = {} THEN 0 ELSE CHOOSE w \in writes : \A other \in writes : ts[other] <= ts[w]
Above(w, known) == {v \in known : w = 0 \/ ts[v] > ts[w]}

\* What n answers at t, and whether it may.
ValueAt(n, key, t) ==
    LET known == {w \in Writes : ts[w] # 0 /\ KeyOf(w) = key /\ KnownAt(n, w)}
        top == Latest({w \in known : Visible(n, w, t)})
        open == {w \in Above(top, known) : ~Invisible(n, w, t)}
        shown == IF DecidedOnly THEN top ELSE Latest({w \in known : Visible(n, w, t) \/ w \in open})
        inStore == {w \in known : w \in stored[n]}
        published == Latest({w \in known : Cardinality({p \in Nodes : StampOf(n, p, w) # 0}) >= WriteQuorum})
    IN [may |-> /\ AtACut /\ DecidedOnly => open = {}
                /\ PresentOnly => shown = 0 \/ shown \in stored[n] \/ (AsBuilt /\ stamp[n][shown] # 0),
        value |-> IF ~AtACut THEN published
                  ELSE IF ~HistoryUsed THEN Latest(inStore)
                  ELSE IF PresentOnly THEN shown
                  ELSE Latest({w \in inStore : shown # 0 /\ ts[w] <= ts[shown]})]

CutAllowed(s, n, t) ==
    /\ TokenHeeded => t >= token[s]
    /\ CutsAfterForgotten => t >= floor[n][Next1(s).key]
    /\ Covers(n, t)

Read(s, n, t) ==
    /\ Busy(s) /\ Next1(s).write = 0
    /\ CutAllowed(s, n, t)
    /\ LET answer == ValueAt(n, Next1(s).key, t)
       IN answer.may /\ Returns(s, answer.value)
    /\ token' = [token EXCEPT ![s] = Max(@, t)]
    /\ clock' = [clock EXCEPT ![n] = IF CutsPass THEN Max(@, t) ELSE @]
    /\ UNCHANGED <<ts, stamp, nodeVars, restarts>>

-----------------------------------------------------------------------------
(* Forgetting, and crashes *)

NewestCut(n) == CHOOSE t \in Times : Covers(n, t) /\ \A other \in Times : Covers(n, other) => other <= t

\* Others than readers keep no account of what they have heard: they may forget as soon as it is true.
AllHave(n, w) ==
    IF n \in Readers
    THEN LET known == {p \in Nodes : StampOf(n, p, w) # 0}
         IN /\ Cardinality(known) >= IF ForgottenByAll THEN 3 ELSE WriteQuorum
            /\ Covers(n, Tau(w)) /\ (AsBuilt \/ clock[n] >= Tau(w))
    ELSE Cardinality({p \in Nodes : stamp[p][w] # 0}) >= IF ForgottenByAll THEN 3 ELSE WriteQuorum

\* A peer may have heard of it before it crashed: then it has it in its journal, or has stamped what overtook it.
WasTold(n, p, w) ==
    \/ heard[p][n][w] # 0
    \/ AsBuilt /\ (w \in retired[p] \/ \E one \in acked[n] : one[1] = p /\ one[2] = w /\ one[3])
WasEverTold(n, p, w) == WasTold(n, p, w) \/ \E one \in acked[n] : one[1] = p /\ one[2] = w

Forget(n, w) ==
    /\ retired' = [retired EXCEPT ![n] = @ \cup {w}]
    /\ told' = IF n \in Readers THEN [told EXCEPT ![n] = @ \ {w}] ELSE told
    /\ floor' = IF n \in Readers /\ Overtaking(n, w) = {} /\ Tau(w) # 0
                THEN [floor EXCEPT ![n][KeyOf(w)] = Max(@, Tau(w))] ELSE floor
    /\ UNCHANGED <<clock, ts, stamp, stored, late, covered, heard, unasked, acked, token, done, restarts>>

Retire(n, w) ==
    /\ Forgets
    /\ w \notin retired[n]
    /\ w \in stored[n] \/ (AsBuilt /\ n \in Readers /\ stamp[n][w] = 0 /\ KnownAt(n, w))
    /\ LET peers == IF stamp[n][w] # 0 /\ ForgottenIfHeard THEN Readers \ {n} ELSE {}
       IN \/ /\ (w \in stored[n] /\ AllHave(n, w)) \/ (n \in Readers /\ w \in told[n])
             /\ \A p \in peers : WasTold(n, p, w)
          \/ Overtaking(n, w) # {} /\ \A p \in peers : WasEverTold(n, p, w)
    /\ Forget(n, w)

Restart(n) ==
    /\ restarts < Restarts
    /\ restarts' = restarts + 1
    /\ LET journal == {w \in Writes : stamp[n][w] # 0 /\ w \notin retired[n]}
           kept == IF JournalKept THEN journal ELSE {}
           back == IF CeilingKept THEN clock[n] ELSE 0
       IN /\ stamp' = [stamp EXCEPT ![n] = [w \in Writes |-> IF w \in journal \ kept THEN 0 ELSE @[w]]]
          /\ stored' = [stored EXCEPT ![n] = IF AsBuilt THEN @ \ journal ELSE (@ \cup kept) \ (journal \ kept)]
          /\ clock' = [clock EXCEPT ![n] = back]
          /\ floor' = [floor EXCEPT ![n] = [k \in Keys |-> Max(@[k], back)]]
          /\ unasked' = [unasked EXCEPT ![n] = {<<p, w>> : p \in Nodes \ {n}, w \in kept}]
    /\ covered' = [covered EXCEPT ![n] = [p \in Nodes |-> 0]]
    /\ heard' = [heard EXCEPT ![n] = [p \in Nodes |-> None]]
    /\ told' = [told EXCEPT ![n] = {}]
    /\ acked' = [m \in Nodes |-> IF m = n THEN {} ELSE
            {<<t[1], t[2], t[3] /\ (t[1] # n \/ ~ToldThisLife \/ stamp[n][t[2]] # 0)>> : t \in acked[m]}]
    /\ UNCHANGED <<ts, late, retired, token, done>>

Next ==
    \/ \E s \in Sessions :
        \/ \E c \in Nodes : Begin(s, c)
        \/ End(s) \/ GiveUp(s)
        \/ \E n \in Readers, t \in Times : Read(s, n, t)
    \/ \E n \in Nodes, w \in Writes : Stamp(n, w) \/ Store(n, w) \/ ComeLate(n, w) \/ Retire(n, w)
    \/ \E n \in Readers :
        \/ Restart(n)
        \/ \E p \in Nodes, m \in Times, pending \in BOOLEAN : Hear(n, p, m, pending)
        \/ \E p \in Nodes, w \in Writes : Ask(n, p, w)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Sequential consistency *)

\* A write that is under way, or was given up, may take effect at any time from its beginning on, or never.
Begun(s) == Busy(s) /\ Next1(s).write # 0 /\ ts[Next1(s).write] # 0
History(s) == IF Begun(s) THEN Append(done[s], GivenUp) ELSE done[s]

\* at[s]: how many operations of s are ordered; free: writes that may take effect; row: each key's value.
RECURSIVE Fits(_, _, _)
Fits(at, free, row) ==
    LET left == {s \in Sessions : at[s] < Len(History(s))}
        op(s) == Op(s, at[s] + 1)
        said(s) == History(s)[at[s] + 1]
        next(s) == [at EXCEPT ![s] = @ + 1]
        reads == {s \in left : op(s).write = 0 /\ said(s) = row[op(s).key]}
        abandons == {s \in left : said(s) = GivenUp}
    IN IF left = {} THEN TRUE
       ELSE IF reads # {} THEN LET s == CHOOSE s \in reads : TRUE IN Fits(next(s), free, row)
       ELSE IF abandons # {}
       THEN LET s == CHOOSE s \in abandons : TRUE IN Fits(next(s), free \cup {op(s).write}, row)
       ELSE \/ \E s \in left : said(s) = Ended /\ Fits(next(s), free, [row EXCEPT ![op(s).key] = op(s).write])
            \/ \E w \in free : Fits(at, free \ {w}, [row EXCEPT ![KeyOf(w)] = w])

Sequential == Fits([s \in Sessions |-> 0], {}, [k \in Keys |-> 0])

-----------------------------------------------------------------------------
(* Probes: each is reached, or the invariant above would be of nothing. *)

Cut(n) == NewestCut(n)
NobodyReadsAnOlderCut ==
    ~\E n \in Readers, t \in Times :
        t < Cut(n) /\ Covers(n, t) /\ t >= floor[n]["x"] /\ ValueAt(n, "x", t).may /\ ~ValueAt(n, "x", Cut(n)).may
NobodyWaits ==
    ~\E n \in Readers, s \in Sessions :
        /\ Busy(s) /\ Next1(s).write = 0 /\ Cut(n) >= token[s] /\ token[s] > 0
        /\ \A t \in Times : CutAllowed(s, n, t) => ~ValueAt(n, Next1(s).key, t).may
NobodyAnswersFromHistory ==
    ~\E n \in Readers, t \in Times, w \in Writes :
        Covers(n, t) /\ t >= floor[n][KeyOf(w)] /\ w \in stored[n] /\ Invisible(n, w, t) /\ ValueAt(n, KeyOf(w), t).may
NobodyIsLate == \A n \in Nodes : late[n] = None
NobodyForgets == \A n \in Nodes : retired[n] = {}
NobodyIsAskedOfWhatItForgot ==
    ~\E n \in Readers, p \in Nodes, w \in Writes : <<p, w>> \in unasked[n] /\ w \in retired[p]
NothingIsSeenThatWasGivenUp ==
    ~\E s, r \in Sessions, i \in 1..2, j \in 1..2 :
        /\ i \in DOMAIN done[s] /\ done[s][i] = GivenUp
        /\ j \in DOMAIN done[r] /\ done[r][j] = Program[s][i].write
=============================================================================
