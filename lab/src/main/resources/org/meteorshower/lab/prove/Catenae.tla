------------------------------ MODULE Catenae ------------------------------
(***************************************************************************)
(* One lane of Catenae (docs/CATENAE.md): the log of one data centre, by   *)
(* Paxos with one acceptor per data centre. Who may propose, what votes    *)
(* count, what a lost disk may do, and what the log on disk may be taken   *)
(* for. The question is whether two data centres can take different        *)
(* entries for decided at one position, now or when the log is read again. *)
(* What is made of the lanes: CatenaeOrder.tla.                            *)
(*                                                                         *)
(* Messages are never taken back: each may be heard late, often or never.  *)
(* To hear one and to have durable what follows from it is one step.       *)
(*                                                                         *)
(* Left out: when somebody tries to lead (anybody may, at any time), how   *)
(* many wait for room (a vote may always be withheld), what memory lets    *)
(* go of (nothing is voted for there, and the log on disk has it), how a   *)
(* blank disk finds its number, and that it asks more than once, what a    *)
(* process that was replaced still proposes (it has its own ballot) or     *)
(* learns, what is in an entry. Truncation waits for nobody here; a        *)
(* snapshot is of all that its giver has settled. At the start 0, who      *)
(* owns the lane, has completed its first phase 1; nothing is proposed.    *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    N,            \* how many data centres
    Last,         \* positions are 1 to this one
    Candidates,   \* data centres that may try to lead, again or for the first time
    Learners,     \* data centres of which it is looked at what they take for decided
    Rounds,       \* of ballots, at most
    Crashes,      \* how often a process may end and another one begin, at most
    Zombies,      \* the same, while the one before still lives
    Losses,       \* how often a disk may be lost, at most
    Truncations,  \* how often a log may be truncated, at most
    Snapshots,    \* how often a snapshot may be taken, at most
    Claims,       \* whether a leader's word for what is decided is looked at
    Heirs,        \* data centres that may be named to lead where a leader is passed over; none, and none is
    Quorums,      \* sets of data centres that may be named to promise that
    \* Rules; each is left out in a negative control.
    PersistedFirst,      \* an acceptor tells of what is durable
    FenceRead,           \* a process that was replaced tells nothing any more
    MajorityPromises,    \* who leads has the promise of a majority
    BallotsNew,          \* a ballot is above all that its data centre has promised
    FloorTold,           \* a candidate below a promised floor gives up
    FloorKept,           \* nothing is accepted below the own floor
    StepsDown,           \* a leader steps down when another entry is decided, or one where it has not proposed
    StepsDownOnSnapshot, \* and when a snapshot covers what it has proposed, or what it is yet to propose
    BlankAsks,           \* a blank disk has no vote until it has asked others
    MajorityAsked,       \* it asks a majority of the others, not one less
    OldVotesDropped,     \* promises and acceptances of an older generation do not count
    GenerationDurable,   \* who tells a blank disk something first has its generation on disk
    GenerationsTold,     \* who tells a blank disk something tells it of the generations that it knows, too
    LearnedWritten,      \* where something else was accepted than decided, that is written over it
    SureOfTheLog,        \* what is decided is written also where what was accepted may yet be overwritten
    VoteKept,            \* what is written over it leaves the ballot under which something was accepted
    DecidedKept,         \* nothing is accepted where something else is known to be decided
    PromisedOnce,        \* a ballot of a revocation is promised, and that told, once
    QuorumComplete,      \* who passes over a leader has the promises of all of a quorum
    SameQuorum,          \* and all of them name it
    ClosedBehind         \* what closes the lane stands behind all that was accepted

DCs == 0..(N - 1)
P == 1..Last
Majority == N \div 2 + 1
Owner == 0

Max(set) == CHOOSE x \in set : \A y \in set : y <= x
Highest(votes) == CHOOSE x \in votes : \A y \in votes : y.b <= x.b

\* Of a round, then the generation of the proposer's disk, then the proposer: as in log.Ballot.
Ballot(round, generation, d) == (round * 4 + generation) * 8 + d
Round(b) == b \div 32
Generation(b) == (b \div 8) % 4
Proposer(b) == b % 8

\* Where leaders may be passed over, candidates' rounds are odd and revocations' are even.
NextRound(round) == IF Heirs # {} /\ round % 2 = 1 THEN round + 2 ELSE round + 1
RevocationRound(round) == IF round % 2 = 1 THEN round + 1 ELSE round + 2

\* An entry is told apart by the ballot under which it was first proposed: its origin. Two of one ballot, of two lives,
\* can be told apart here, though not by the code.
Filler == 0
Nothing == 1
Skipped == 2  \* a snapshot covers the position: decided, and not known with what
Origin(v) == v \div 8
NoVote == [b |-> 0, v |-> Nothing]

VARIABLES
    dc,        \* by data centre, what it knows
    net,       \* what was ever told
    decisions, \* pairs of a position and what somebody took for decided there
    used       \* how often faults have happened

vars == <<dc, net, decisions, used>>

Founded == [d \in DCs |-> 1]

Blank ==
    [blank    |-> FALSE,
     lost     |-> 0,                          \* how often its disk was lost
     prom     |-> 0,                          \* nothing below this ballot is accepted any more
     dprom    |-> 0,                          \* the same on disk
     vote     |-> [p \in P |-> NoVote],       \* what was accepted last
     dvote    |-> [p \in P |-> NoVote],       \* on disk: the one of the highest ballot
     learned  |-> [p \in P |-> Nothing],      \* on disk: what was written over the entry of that
     floor    |-> 1,                          \* what is below is gone
     gens     |-> Founded,                    \* the generations of disks that it has heard of
     dgens    |-> Founded,                    \* those on disk
     role     |-> "follows",
     next     |-> 1,                          \* where a leader's next entry will stand
     dec      |-> [p \in P |-> Nothing],      \* what is decided, as it knows
     settled  |-> {},                         \* positions of which the log on disk is taken for what was decided
     zombie   |-> 0]                          \* what the process before had promised, if that still lives

FirstBallot == Ballot(1, 1, Owner)
FirstPromises == 0..(Majority - 1)

Init ==
    /\ dc = [d \in DCs |-> IF d \notin FirstPromises THEN Blank
                           ELSE [Blank EXCEPT !.prom = FirstBallot, !.dprom = FirstBallot,
                                              !.role = IF d = Owner THEN "leads" ELSE "follows"]]
    /\ net = [prepares |-> {FirstBallot}, promises |-> {}, revokes |-> {}, proposals |-> {}, claims |-> {},
              accepts |-> {}, answers |-> {}]
    /\ decisions = {}
    /\ used = [crashes |-> 0, zombies |-> 0, losses |-> 0, truncations |-> 0, snapshots |-> 0]

-----------------------------------------------------------------------------
(* What a data centre knows *)

\* All positions below it are decided. And: the same for what is settled.
End(set) == CHOOSE p \in 1..(Last + 1) : (\A q \in 1..(p - 1) : q \in set) /\ (p = Last + 1 \/ p \notin set)
DecidedBelow(s) == End({p \in P : s.dec[p] # Nothing})
SettledBelow(s) == End(s.settled)

\* Where the log on disk is read as the lane, and what that gives.
InLog(s) == {p \in P : s.floor <= p /\ p < SettledBelow(s)}
IsLearned(s, p) == s.learned[p] # Nothing
Read(s, p) == IF IsLearned(s, p) THEN s.learned[p] ELSE s.dvote[p].v

\* The generations that it knows when it has heard these messages, and whether all of them still count then.
Known(d, heard) == [x \in DCs |-> Max({dc[d].gens[x]} \cup {m.gens[x] : m \in heard})]
Count(d, heard) == OldVotesDropped => \A m \in heard : m.gens[m.from] = Known(d, heard)[m.from]

\* One message each of so many data centres.
Sets(messages, size) == {set \in SUBSET messages : Cardinality(set) = size /\ Cardinality({m.from : m \in set}) = size}

Own(d, p) == {m \in net.proposals : m.b = dc[d].prom /\ m.p = p}

\* The data centre takes v for decided. If it leads and has proposed something else there, somebody else leads.
IsForeign(d, p, v) ==
    /\ dc[d].role = "leads"
    /\ IF Own(d, p) = {} THEN p >= dc[d].next ELSE \A m \in Own(d, p) : Origin(m.v) # Origin(v)

\* Whether the log on disk is what was decided, and stays it. A later vote, or one of a replaced process that comes
\* late, overwrites it if its ballot is higher. All votes above a ballot by which v was chosen are for v, too.
IsInLog(s, p, v, b) ==
    /\ s.vote[p].b > 0
    /\ LearnedWritten => s.dvote[p].b >= s.vote[p].b
    /\ LearnedWritten => Origin(s.vote[p].v) = Origin(v)
    /\ SureOfTheLog => b > 0 /\ s.vote[p].b >= b

\* @param b a ballot by which a majority accepted it; 0 where that is not known
Decided(s, d, p, v, b) ==
    [s EXCEPT !.dec[p] = v,
              !.role = IF StepsDown /\ IsForeign(d, p, v) THEN "follows" ELSE @,
              !.settled = @ \cup {p},
              !.learned[p] = IF IsInLog(s, p, v, b) \/ ~LearnedWritten \/ p < s.floor THEN @ ELSE v]

-----------------------------------------------------------------------------
(* Who leads *)

MayReuse(d) == ~BallotsNew /\ dc[d].prom > 0 /\ Proposer(dc[d].prom) = d

\* The own acceptor promises durably; then the others hear of the ballot.
Begin(d) ==
    /\ d \in Candidates /\ dc[d].role # "leads" /\ ~dc[d].blank
    /\ \E b \in {Ballot(NextRound(Round(dc[d].prom)), dc[d].gens[d], d)} \cup (IF MayReuse(d) THEN {dc[d].prom} ELSE {}) :
        /\ Round(b) <= Rounds
        /\ dc' = [dc EXCEPT ![d].prom = b, ![d].dprom = b, ![d].role = "prepares"]
        /\ net' = [net EXCEPT !.prepares = @ \cup {b},
                              !.promises = @ \cup {[b |-> b, from |-> d, gens |-> dc[d].gens, floor |-> dc[d].floor,
                                                    vote |-> dc[d].vote]}]
    /\ UNCHANGED <<decisions, used>>

Promise(d, b) ==
    /\ ~dc[d].blank /\ b >= dc[d].prom /\ Proposer(b) # d
    /\ ~\E m \in net.promises : m.b = b /\ m.from = d /\ m.gens = dc[d].gens /\ m.floor = dc[d].floor
    /\ dc' = [dc EXCEPT ![d].prom = b, ![d].dprom = b, ![d].role = IF b > dc[d].prom THEN "follows" ELSE @]
    /\ net' = [net EXCEPT !.promises = @ \cup {[b |-> b, from |-> d, gens |-> dc[d].gens, floor |-> dc[d].floor,
                                                vote |-> dc[d].vote]}]
    /\ UNCHANGED <<decisions, used>>

Lead(d) ==
    /\ dc[d].role = "prepares"
    /\ \E set \in Sets({m \in net.promises : m.b = dc[d].prom}, IF MajorityPromises THEN Majority ELSE 1) :
        LET below == DecidedBelow(dc[d])
            told == [p \in P |-> Highest({m.vote[p] : m \in set})]
            next == Max({below} \cup {p + 1 : p \in {q \in P : dc[d].dec[q] # Nothing \/ told[q].b > 0}})
            open == {p \in P : below <= p /\ p < next /\ dc[d].dec[p] = Nothing}
        IN  /\ Count(d, set)
            /\ FloorTold => \A m \in set : m.floor <= below
            /\ dc' = [dc EXCEPT ![d].role = "leads", ![d].next = next, ![d].gens = Known(d, set)]
            /\ net' = [net EXCEPT !.proposals = @ \cup
                         {[b |-> dc[d].prom, p |-> p, v |-> IF told[p].b > 0 THEN told[p].v ELSE Filler] : p \in open}]
    /\ UNCHANGED <<decisions, used>>

Propose(d) ==
    /\ dc[d].role = "leads" /\ dc[d].next \in P
    /\ dc' = [dc EXCEPT ![d].next = @ + 1]
    /\ net' = [net EXCEPT !.proposals = @ \cup
                 {[b |-> dc[d].prom, p |-> dc[d].next, v |-> dc[d].prom * 8 + used.crashes]}]
    /\ UNCHANGED <<decisions, used>>

\* With each proposal: all positions below are decided, with what it has proposed where it has proposed.
Claim(d) ==
    /\ Claims /\ dc[d].role = "leads" /\ DecidedBelow(dc[d]) > 1
    /\ net' = [net EXCEPT !.claims = @ \cup {[b |-> dc[d].prom, below |-> DecidedBelow(dc[d])]}]
    /\ UNCHANGED <<dc, decisions, used>>

-----------------------------------------------------------------------------
(* Who leads is passed over *)

Closing(b) == b * 8 + 7  \* how far ahead is not looked at; of one ballot it is the same

\* d promises the ballot, whose proposer is the heir, and tells all of a majority what it has accepted. Others may have
\* begun with it, or nobody yet. Where it takes something for decided it need not tell of that.
Revoke(d) ==
    /\ ~dc[d].blank
    /\ \E heir \in Heirs :
        \E b \in {Ballot(RevocationRound(Round(dc[d].prom)), dc[d].gens[heir], heir)}
                   \cup {m.b : m \in {each \in net.revokes : Proposer(each.b) = heir}} :
            /\ Round(b) <= Rounds
            /\ IF PromisedOnce THEN b > dc[d].prom ELSE b >= dc[d].prom
            /\ heir = d => Generation(b) = dc[d].gens[d]
            /\ \E quorum \in {set \in Quorums : d \in set /\ heir \in set} :
               \E floor \in {dc[d].floor, Max({dc[d].floor, DecidedBelow(dc[d])})} :
                /\ dc' = [dc EXCEPT ![d].prom = b, ![d].dprom = b,
                                    ![d].role = IF heir = d THEN "inherits" ELSE "follows"]
                /\ net' = [net EXCEPT !.revokes = @ \cup {[b |-> b, from |-> d, quorum |-> quorum,
                              gens |-> dc[d].gens, floor |-> floor, vote |-> dc[d].vote]}]
    /\ UNCHANGED <<decisions, used>>

\* It has the promises of all of the quorum that it has named itself, and knows what is to be accepted. Nobody need have
\* proposed that. The heir leads from there on, unless it has to catch up first, or has begun anew.
PassOver(d) ==
    /\ \E own \in {m \in net.revokes : m.from = d /\ m.b = dc[d].prom} :
       \E set \in Sets({m \in net.revokes : /\ m.b = own.b /\ m.from \in own.quorum
                                            /\ SameQuorum => m.quorum = own.quorum},
                       IF QuorumComplete THEN Majority ELSE 1) :
        LET b == own.b
            first == Max({m.floor : m \in set})
            told == [p \in P |-> Highest({m.vote[p] : m \in set})]
            voted == {p \in P : first <= p /\ told[p].b > 0}
            end == IF ClosedBehind THEN Max({first} \cup {p + 1 : p \in voted}) ELSE first
            value == [p \in P |-> IF p = end THEN Closing(b)
                                  ELSE IF p < end /\ told[p].b > 0 THEN told[p].v ELSE Filler]
            below == DecidedBelow(dc[d])
            leads == dc[d].role = "inherits" /\ first <= below
            next == Max({below, end + 1} \cup {p + 1 : p \in {q \in P : dc[d].dec[q] # Nothing}})
            open == {p \in P : below <= p /\ p < next /\ dc[d].dec[p] = Nothing}
            to == {p \in P : first <= p /\ p <= end} \cup (IF leads THEN open ELSE {})
        IN  /\ Count(d, set)
            /\ dc' = [dc EXCEPT ![d].gens = Known(d, set),
                                ![d].next = IF leads THEN next ELSE @,
                                ![d].role = IF leads THEN "leads" ELSE IF @ = "inherits" THEN "follows" ELSE @]
            /\ net' = [net EXCEPT !.proposals = @ \cup {[b |-> b, p |-> p, v |-> value[p]] : p \in to}]
    /\ UNCHANGED <<decisions, used>>

-----------------------------------------------------------------------------
(* Votes *)

Accept(d, m) ==
    /\ ~dc[d].blank /\ m.b >= dc[d].prom
    /\ FloorKept => m.p >= dc[d].floor
    /\ DecidedKept => dc[d].dec[m.p] \in {Nothing, Skipped} \/ Origin(dc[d].dec[m.p]) = Origin(m.v)
    /\ net' = [net EXCEPT !.accepts = @ \cup {[b |-> m.b, p |-> m.p, from |-> d, gens |-> dc[d].gens]}]
    /\ IF dc[d].vote[m.p].b = m.b
         THEN UNCHANGED dc  \* it tells it again
         ELSE \E saved \in {TRUE} \cup (IF PersistedFirst THEN {} ELSE {FALSE}) :
                dc' = [dc EXCEPT ![d].prom = m.b,
                                 ![d].role = IF m.b > dc[d].prom THEN "follows" ELSE @,
                                 ![d].vote[m.p] = [b |-> m.b, v |-> m.v],
                                 ![d].dvote[m.p] = IF saved /\ m.b > @.b THEN [b |-> m.b, v |-> m.v] ELSE @]
    /\ UNCHANGED <<decisions, used>>

Takes(d, p, v, b, gens) ==
    /\ dc' = [dc EXCEPT ![d] = Decided([@ EXCEPT !.gens = gens], d, p, v, b)]
    /\ decisions' = decisions \cup {<<p, v>>}

\* A majority has accepted what the ballot's proposer proposed.
Majorities(d, m) == {set \in Sets({a \in net.accepts : a.b = m.b /\ a.p = m.p}, Majority) : Count(d, set)}

Decide(d, m) ==
    /\ d \in Learners /\ dc[d].dec[m.p] = Nothing
    /\ \E set \in Majorities(d, m) : Takes(d, m.p, m.v, m.b, Known(d, set))
    /\ UNCHANGED <<net, used>>

\* Its leader's word for it. Who has seen a higher ballot's proposal does not take it for this one.
Believe(d, c, m) ==
    /\ d \in Learners /\ m.b = c.b /\ m.p < c.below /\ m.p = DecidedBelow(dc[d]) /\ dc[d].vote[m.p].b <= m.b
    /\ Takes(d, m.p, m.v, 0, dc[d].gens)
    /\ UNCHANGED <<net, used>>

\* Told by one that knows, from memory or from its log.
Learn(d, e, p) ==
    /\ d \in Learners /\ dc[d].dec[p] = Nothing
    /\ \E v \in {dc[e].dec[p]} \cup (IF p \in InLog(dc[e]) THEN {Read(dc[e], p)} ELSE {}) :
        /\ v \notin {Nothing, Skipped}
        /\ Takes(d, p, v, 0, dc[d].gens)
    /\ UNCHANGED <<net, used>>

-----------------------------------------------------------------------------
(* Processes and disks *)

\* What a new process makes of the disk. Below what was noted as settled it takes the log for decided, and executes it.
\* That is noted late: of the rest a vote is left.
Notes(s) == s.floor..Max({s.floor, SettledBelow(s)})
Restarted(s, noted) ==
    LET settled == {p \in P : p < noted}
        known == {p \in P : p \in settled \/ IsLearned(s, p)}
        votes == [p \in P |-> IF ~IsLearned(s, p) THEN s.dvote[p]
                              ELSE IF VoteKept /\ s.dvote[p].b > 0 THEN [b |-> s.dvote[p].b, v |-> s.learned[p]]
                              ELSE NoVote]
    IN  [s EXCEPT !.vote = votes,
                  !.prom = Max({s.dprom} \cup {s.dvote[p].b : p \in P}),
                  !.gens = s.dgens,
                  !.role = "follows",
                  !.dec = [p \in P |-> IF p \notin known THEN Nothing ELSE IF p < s.floor THEN Skipped ELSE Read(s, p)],
                  !.settled = known]

Begun(d, zombie) ==
    \E noted \in Notes(dc[d]) :
        /\ dc' = [dc EXCEPT ![d] = [Restarted(@, noted) EXCEPT !.zombie = zombie]]
        /\ decisions' = decisions \cup {<<p, Read(dc[d], p)>> : p \in InLog(dc[d])}
        /\ UNCHANGED net

Crash(d) ==
    /\ used.crashes < Crashes
    /\ used' = [used EXCEPT !.crashes = @ + 1]
    /\ Begun(d, dc[d].zombie)

\* Another process takes the fence, while the one before stands still.
Replace(d) ==
    /\ used.zombies < Zombies
    /\ used' = [used EXCEPT !.zombies = @ + 1]
    /\ Begun(d, dc[d].prom)

\* The one before goes on. What it was about to write comes to the disk; then it finds the fence changed.
ZombieAccepts(d, m) ==
    /\ dc[d].zombie > 0 /\ m.b >= dc[d].zombie /\ m.p >= dc[d].floor
    /\ dc' = [dc EXCEPT ![d].zombie = IF FenceRead THEN 0 ELSE m.b,
                        ![d].dvote[m.p] = IF m.b > @.b THEN [b |-> m.b, v |-> m.v] ELSE @]
    /\ net' = IF FenceRead THEN net
              ELSE [net EXCEPT !.accepts = @ \cup {[b |-> m.b, p |-> m.p, from |-> d, gens |-> dc[d].gens]}]
    /\ UNCHANGED <<decisions, used>>

Lose(d) ==
    /\ used.losses < Losses
    /\ used' = [used EXCEPT !.losses = @ + 1]
    /\ dc' = [dc EXCEPT ![d] = [Blank EXCEPT !.blank = BlankAsks, !.lost = dc[d].lost + 1]]
    /\ UNCHANGED <<net, decisions>>

\* It remembers that d's disk is a new one, and tells what it has accepted.
Answer(e, d) ==
    /\ dc[d].blank /\ ~dc[e].blank
    /\ ~\E m \in net.answers : m.to = d /\ m.generation = dc[d].lost + 1 /\ m.from = e
    /\ LET generation == dc[d].lost + 1
           gens == [dc[e].gens EXCEPT ![d] = generation]
       IN  /\ dc' = [dc EXCEPT ![e].gens = gens, ![e].dgens[d] = IF GenerationDurable THEN generation ELSE @]
           /\ net' = [net EXCEPT !.answers = @ \cup {[to |-> d, generation |-> generation, from |-> e, gens |-> gens,
                          floor |-> dc[e].floor, prom |-> dc[e].prom, vote |-> dc[e].vote]}]
    /\ UNCHANGED <<decisions, used>>

Rejoin(d) ==
    /\ dc[d].blank
    /\ \E set \in Sets({m \in net.answers : m.to = d /\ m.generation = dc[d].lost + 1},
                       IF MajorityAsked THEN Majority ELSE Majority - 1) :
        LET votes == [p \in P |-> Highest({m.vote[p] : m \in set})]
            prom == Max({m.prom : m \in set})
            gens == [x \in DCs |-> IF x = d THEN dc[d].lost + 1
                                   ELSE IF GenerationsTold THEN Max({m.gens[x] : m \in set}) ELSE 1]
        IN  dc' = [dc EXCEPT ![d].blank = FALSE, ![d].prom = prom, ![d].dprom = prom, ![d].vote = votes,
                             ![d].dvote = votes, ![d].floor = Max({@} \cup {m.floor : m \in set}),
                             ![d].gens = [x \in DCs |-> Max({gens[x], dc[d].gens[x]})], ![d].dgens = gens]
    /\ UNCHANGED <<net, decisions, used>>

-----------------------------------------------------------------------------
(* What is gone *)

Without(s, floor) ==
    [s EXCEPT !.floor = floor,
              !.vote = [p \in P |-> IF p < floor THEN NoVote ELSE @[p]],
              !.dvote = [p \in P |-> IF p < floor THEN NoVote ELSE @[p]],
              !.learned = [p \in P |-> IF p < floor THEN Nothing ELSE @[p]]]

Truncate(d) ==
    /\ used.truncations < Truncations
    /\ used' = [used EXCEPT !.truncations = @ + 1]
    /\ \E floor \in (dc[d].floor + 1)..SettledBelow(dc[d]) : dc' = [dc EXCEPT ![d] = Without(@, floor)]
    /\ UNCHANGED <<net, decisions>>

\* d takes all that e has settled.
Snapshot(d, e) ==
    /\ used.snapshots < Snapshots
    /\ LET below == SettledBelow(dc[e])
           isOpen == \E p \in P : p < below /\ dc[d].dec[p] = Nothing /\ Own(d, p) # {}
       IN  /\ below > DecidedBelow(dc[d])
           /\ dc' = [dc EXCEPT ![d] = [Without(@, Max({below, @.floor})) EXCEPT
                        !.dec = [p \in P |-> IF p < below /\ @[p] = Nothing THEN Skipped ELSE @[p]],
                        !.settled = @ \cup 1..(below - 1),
                        !.role = IF StepsDownOnSnapshot /\ @ = "leads" /\ (below > dc[d].next \/ isOpen)
                                   THEN "follows" ELSE @]]
    /\ used' = [used EXCEPT !.snapshots = @ + 1]
    /\ UNCHANGED <<net, decisions>>

Step ==
    \E d \in DCs :
        \/ Begin(d) \/ Lead(d) \/ Propose(d) \/ Claim(d) \/ Revoke(d) \/ PassOver(d)
        \/ \E b \in net.prepares : Promise(d, b)
        \/ \E m \in net.proposals :
            \/ Accept(d, m) \/ Decide(d, m) \/ ZombieAccepts(d, m)
            \/ \E c \in net.claims : Believe(d, c, m)
        \/ Crash(d) \/ Replace(d) \/ Lose(d) \/ Rejoin(d) \/ Truncate(d)
        \/ \E e \in DCs \ {d} :
            \/ Answer(e, d) \/ Snapshot(d, e)
            \/ \E p \in P : Learn(d, e, p)

\* Of a message it is said whose ballot it has: the words in which a model says how it begins.
Hears(d, c) == \E b \in net.prepares : Proposer(b) = c /\ Promise(d, b)
Votes(d, c) == \E m \in net.proposals : Proposer(m.b) = c /\ Accept(d, m)

\* What changes nothing is left out: else walks at random hardly get anywhere.
Next == Step /\ vars' # vars
Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Each position is decided once, for all and for ever; and the logs hold it, as far as they are taken for that. *)

Decisions ==
    decisions \cup {<<m.p, m.v>> : m \in {each \in net.proposals : \E d \in DCs : Majorities(d, each) # {}}}
OneDecision == \A x \in Decisions : \A y \in Decisions : x[1] = y[1] => x[2] = y[2]
LogsHoldIt ==
    \A d \in DCs : \A p \in InLog(dc[d]) : <<p, Read(dc[d], p)>> \in Decisions
OneLog == OneDecision /\ LogsHoldIt

-----------------------------------------------------------------------------
(* Probes: each is reached, or the invariant above would be of nothing. *)

NobodyTakesOverAnEntry == \A x \in Decisions : x[2] # Filler => \A m \in net.proposals : m.v = x[2] => m.b = Origin(m.v)
NeverTwoLeaders == \A d \in DCs : \A e \in DCs : dc[d].role = "leads" /\ dc[e].role = "leads" => d = e
NothingIsFilled == \A x \in Decisions : x[2] # Filler
NoNewDiskVotes == \A m \in net.accepts : m.gens[m.from] = 1
NobodyIsPassedOver == \A x \in Decisions : x[2] % 8 # 7
NobodyIsBelowAFloor ==
    \A d \in DCs : dc[d].role = "prepares" =>
        \A m \in net.promises : m.b = dc[d].prom => m.floor <= DecidedBelow(dc[d])
NoVoteIsWrittenOver == \A d \in DCs : \A p \in P :
    IsLearned(dc[d], p) => dc[d].dvote[p].v \in {Nothing, dc[d].learned[p]}
=============================================================================
