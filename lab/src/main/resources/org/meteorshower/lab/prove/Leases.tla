------------------------------- MODULE Leases -------------------------------
(***************************************************************************)
(* Promises for strict reads at home (docs/ARCHITECTURE.md, "Strict at     *)
(* home"), while one replica of a partition is displaced by another one.   *)
(*                                                                         *)
(* One row. Under the table's name X the partition is held by 0, 1 and 2;  *)
(* under the next name, Y, by 1, 2 and 3. Each node goes over to Y at its  *)
(* own time. The question is whether 0 or 1, while they go by X and hold,  *)
(* can answer a strict read without a write that is complete.              *)
(*                                                                         *)
(* Left out: clocks and stamps (a pledge is a stamp), the choice of cuts,  *)
(* timestamps (writes are numbered in the order in which they begin, so    *)
(* that "the later write wins" is not at stake), rates (all elapsed clocks *)
(* go at one), reads under Y, what is carried over. Messages are told and  *)
(* heard in one step, at any time: a promise that is late has less left.   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Lease,              \* how long a promise lasts, in ticks
    Writes,             \* how many writes begin, at most
    Restarts,           \* how often nodes restart, at most
    Ousted,             \* whether 0 was replaced while it lives: it is off the ring, and nobody waits for it
    Readers,            \* whose reads are looked at, of 0 and 1; only these ask for promises
    \* Rules; each is left out in a negative control.
    HoldersAwaited,     \* a replica vouches once all whom it has promised have stamped
    RestartsRemembered, \* who restarts takes everybody for promised, for as long as a promise lasts
    SameNamesOnly,      \* nobody is promised anything that goes by another name
    MoveOutlasts,       \* a node says that all follow after its promises of before have run out
    NobodyHeldUp        \* and opens when all peers have said it

Nodes == 0..3
X == "X"
Y == "Y"
Group(name) == IF name = X THEN {0, 1, 2} ELSE {1, 2, 3}
Quorum == 2

VARIABLES
    name,     \* that each node goes by
    since,    \* by node: ticks since it went over, or restarted; no more than Lease
    forgot,   \* nodes that have restarted under Y: they do not know who held what under X
    followed, \* nodes that have ever said that all whom they know of follow
    opened,   \* nodes that begin writes under Y
    kept,     \* kept[g][h]: for how long g keeps its promise to h
    held,     \* held[h][g]: for how long h counts on it
    stamped,  \* by node: the writes that it has stamped, by the name that it went by
    known,    \* by reader: of these, all that it has heard of under its name
    vouched,  \* by node: the writes that it has vouched for
    of,       \* by write: the name under which it began; "-" before that
    restarts

vars == <<name, since, forgot, followed, opened, kept, held, stamped, known, vouched, of, restarts>>

W == 1..Writes
Begun == {w \in W : of[w] # "-"}

Init ==
    /\ name = [n \in Nodes |-> X]
    /\ since = [n \in Nodes |-> Lease]
    /\ forgot = {}
    /\ followed = {}
    /\ opened = {}
    /\ kept = [g \in Nodes |-> [h \in Readers |-> 0]]
    /\ held = [h \in Readers |-> [g \in Nodes |-> 0]]
    /\ stamped = [n \in Nodes |-> {}]
    /\ known = [h \in Readers |-> {}]
    /\ vouched = [n \in Nodes |-> {}]
    /\ of = [w \in W |-> "-"]
    /\ restarts = 0

-----------------------------------------------------------------------------
(* The ring *)

GoOver(n) ==
    /\ name[n] = X
    /\ name' = [name EXCEPT ![n] = Y]
    /\ since' = [since EXCEPT ![n] = 0]
    /\ known' = [h \in Readers |-> IF h = n THEN {} ELSE known[h]]
    /\ UNCHANGED <<forgot, followed, opened, kept, held, stamped, vouched, of, restarts>>

\* Those who hold partitions with it now, and before, as far as it knows.
Awaited(n) ==
    (Group(Y) \cup (IF n \in Group(X) /\ n \notin forgot THEN Group(X) ELSE {})) \ ({n} \cup (IF Ousted THEN {0} ELSE {}))

AllFollow(n) ==
    /\ name[n] = Y /\ n \in Group(Y)
    /\ \A m \in Awaited(n) : name[m] = Y
    /\ MoveOutlasts => since[n] >= Lease

SayAllFollow(n) ==
    /\ n \notin followed /\ AllFollow(n)
    /\ followed' = followed \cup {n}
    /\ UNCHANGED <<name, since, forgot, opened, kept, held, stamped, known, vouched, of, restarts>>

Open(n) ==
    /\ n \notin opened /\ AllFollow(n)
    /\ NobodyHeldUp => Group(Y) \subseteq followed \cup {n}
    /\ opened' = opened \cup {n}
    /\ UNCHANGED <<name, since, forgot, followed, kept, held, stamped, known, vouched, of, restarts>>

\* What it had stamped is in its journal. What it had heard and promised is not.
Restart(n) ==
    /\ restarts < Restarts
    /\ restarts' = restarts + 1
    /\ since' = [since EXCEPT ![n] = 0]
    /\ forgot' = IF name[n] = Y THEN forgot \cup {n} ELSE forgot
    /\ opened' = opened \ {n}
    /\ kept' = [kept EXCEPT ![n] = [h \in Readers |-> IF RestartsRemembered THEN Lease ELSE 0]]
    /\ held' = [h \in Readers |-> IF h = n THEN [g \in Nodes |-> 0] ELSE held[h]]
    /\ known' = [h \in Readers |-> IF h = n THEN stamped[n] ELSE known[h]]
    /\ UNCHANGED <<name, followed, stamped, vouched, of>>

-----------------------------------------------------------------------------
(* Promises, and what is told with them *)

Told(g, h) == IF name[g] = name[h] \/ name[h] = X THEN {w \in stamped[g] : of[w] = name[h]} ELSE {}

\* By what it has heard. That the other one has gone over it need not have heard.
GoesByTheSame(g, h) == name[g] = Y => name[h] = Y

Promise(g, h) ==
    /\ g # h /\ (\E name1 \in {X, Y} : {g, h} \subseteq Group(name1))
    /\ SameNamesOnly => GoesByTheSame(g, h)
    /\ kept' = [kept EXCEPT ![g][h] = Lease]
    /\ held' = [held EXCEPT ![h][g] = Lease]
    /\ known' = [known EXCEPT ![h] = @ \cup Told(g, h)]
    /\ UNCHANGED <<name, since, forgot, followed, opened, stamped, vouched, of, restarts>>

Tick ==
    /\ kept' = [g \in Nodes |-> [h \in Readers |-> IF kept[g][h] > 0 THEN kept[g][h] - 1 ELSE 0]]
    /\ held' = [h \in Readers |-> [g \in Nodes |-> IF held[h][g] > 0 THEN held[h][g] - 1 ELSE 0]]
    /\ since' = [n \in Nodes |-> IF since[n] < Lease THEN since[n] + 1 ELSE Lease]
    /\ UNCHANGED <<name, forgot, followed, opened, stamped, known, vouched, of, restarts>>

-----------------------------------------------------------------------------
(* Writes *)

Begin(n, w) ==
    /\ of[w] = "-" /\ \A earlier \in W : earlier < w => of[earlier] # "-"
    /\ n \in Group(name[n])
    /\ name[n] = Y => n \in opened
    /\ of' = [of EXCEPT ![w] = name[n]]
    /\ stamped' = [stamped EXCEPT ![n] = @ \cup {w}]
    /\ known' = [h \in Readers |-> IF h = n THEN known[h] \cup {w} ELSE known[h]]
    /\ UNCHANGED <<name, since, forgot, followed, opened, kept, held, vouched, restarts>>

Stamp(n, w) ==
    /\ w \in Begun /\ w \notin stamped[n]
    /\ of[w] = name[n] /\ n \in Group(name[n])
    /\ stamped' = [stamped EXCEPT ![n] = @ \cup {w}]
    /\ known' = [h \in Readers |-> IF h = n THEN known[h] \cup {w} ELSE known[h]]
    /\ UNCHANGED <<name, since, forgot, followed, opened, kept, held, vouched, of, restarts>>

\* With a status message: it has pledged the write, and so have all whom it has promised something.
Vouch(n, w) ==
    /\ w \in stamped[n] /\ w \notin vouched[n] /\ of[w] = name[n]
    /\ HoldersAwaited =>
         \A h \in Readers \cap Group(of[w]) : (h # n /\ kept[n][h] > 0) => w \in stamped[h]
    /\ vouched' = [vouched EXCEPT ![n] = @ \cup {w}]
    /\ UNCHANGED <<name, since, forgot, followed, opened, kept, held, stamped, known, of, restarts>>

Next ==
    \/ Tick
    \/ \E n \in Nodes :
        \/ GoOver(n) \/ SayAllFollow(n) \/ Open(n) \/ Restart(n)
        \/ \E h \in Readers : Promise(n, h)
        \/ \E w \in W : Begin(n, w) \/ Stamp(n, w) \/ Vouch(n, w)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Complete == {w \in Begun : Cardinality({n \in Group(of[w]) : w \in vouched[n]}) >= Quorum}

Holds(h) ==
    Cardinality({g \in Group(name[h]) : g = h \/ held[h][g] > 0}) >= Quorum

\* It answers once all that it knows of is complete.
Answers(h) == name[h] = X /\ Holds(h) /\ known[h] \subseteq Complete

Max(set) == IF set = {} THEN 0 ELSE CHOOSE w \in set : \A other \in set : other <= w

\* A strict read shows each write that is complete when it begins, or a later one.
ReadsMissNothing == \A h \in Readers : Answers(h) => Max(known[h]) >= Max(Complete)

-----------------------------------------------------------------------------
(* Probes: each is reached, or the invariant above would be of nothing. *)

ReaderNeverHoldsWhileOthersFollow == ~(name[0] = X /\ Holds(0) /\ name[1] = Y /\ name[2] = Y)
NothingIsEverCompleteUnderY == ~(\E w \in Complete : of[w] = Y)
NobodyWaitsForAHolder == ~(\E w \in Begun : kept[1][0] > 0 /\ of[w] = X /\ w \in stamped[1] /\ w \notin stamped[0])
=============================================================================
