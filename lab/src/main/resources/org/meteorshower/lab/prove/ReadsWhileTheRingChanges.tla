----------------------- MODULE ReadsWhileTheRingChanges -----------------------
(***************************************************************************)
(* Sequential reads while the ring changes (docs/ARCHITECTURE.md, "When    *)
(* nodes come and go"): one partition, whose replicas are Before under a   *)
(* table's name X, and After under its next name, Y. Each node goes over   *)
(* at its own time. What is checked is what clients see, as in             *)
(* ReadsAtACut: there is an order of all operations that fits each         *)
(* session's own, in which each read returns the latest write before it.   *)
(*                                                                         *)
(* Coarser than ReadsAtACut in what the ring does not change. A reader     *)
(* knows all that is true of whoever covers its cut: what was told up to a *)
(* time does not change any more. That others follow, have carried over,   *)
(* have repaired or vouch stays true, so to hear of it late is to go on    *)
(* late. Nothing is forgotten under one name.                              *)
(*                                                                         *)
(* Left out: cells, equal timestamps, physical clocks, restarts, nodes     *)
(* that were left behind, data of strangers, more than one change, reads   *)
(* that are under way at their node when it follows, live_moves: false,    *)
(* and Cassandra's own count of answers, for which a write waits, too.     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, Sequences

CONSTANTS
    Case,         \* which sessions there are: see Program
    MaxClock,     \* no clock goes further
    Before,       \* the replicas under X
    After,        \* and under Y
    Elsewhere,    \* nodes that hold nothing of the partition under either
    Ousted,       \* those of Before that were replaced while they live: off the ring, and they do not know
    Coordinators, \* of writes
    Readers,      \* nodes at which sessions read
    Lead,         \* how far a timestamp may be ahead of its coordinator's clock
    StoredLater,  \* whether a write reaches the store some time after it was stamped
    Failures,     \* whether a session may give up a write
    Plainly,      \* whether reads are Cassandra's own for a while
    Opened,       \* whether it begins when all have opened
    Unannounced,  \* whether stores that gain the partition get anything before their nodes follow
    \* Rules; each is left out in a negative control.
    NamesApart,         \* a stamp under X does not count under Y
    LeftNotServed,      \* who goes by Y serves no read under X
    OustedToldNothing,  \* who goes by Y tells those nothing that are off the ring
    FollowStored,       \* a node follows once what it has stamped is in its store
    WritesHeld,         \* it takes no write before it opens
    AcksHeld,           \* nor acknowledges one
    AcksOfThen,         \* and then with a cut of then, where it had stamped it before
    FollowersAwaited,   \* it says that all follow once all do whom it knows of, now and before
    NobodyHeldUp,       \* and opens once all peers have said it
    EnoughCarried,      \* plain reads wait until so many have carried over that each majority includes one
    CarriersHeld,       \* of those that held the partition before
    CarriedByAll,       \* carried over is what all have that stay, or a majority under Y
    CarriedInStores,    \* in their stores, and not only stamped
    RepairAwaitsAll,    \* a repair begins once nobody serves the table under X
    RepairedFirst,      \* who has gained the partition vouches after its repair
    AnnouncedStamped,   \* and vouches once it has stamped what others have announced
    MovedVisible,       \* a write that its coordinator began under X is acknowledged by all that stay; where the
                        \* coordinator does not know that X is over, if it is visible under X
    MovedCarried,       \* and if one of them has it under X, and so carries it over
    MovedToken          \* the token of a write that its coordinator began under X is of then

Nodes == Before \cup After \cup Elsewhere
Stayed == Before \cap After
Gained == After \ Before
WriteQuorum(group) == Cardinality(group) \div 2 + 1
ReadQuorum(group) == Cardinality(group) - WriteQuorum(group) + 1
UntilPlain(group) == Cardinality(group) - Cardinality(group) \div 2
Times == 0..MaxClock
Max(a, b) == IF a > b THEN a ELSE b
MaxOf(times) == CHOOSE t \in times : \A other \in times : other <= t
Ended == 98
GivenUp == 99
Nobody == 77

W(id, key) == [write |-> id, key |-> key]
R(key) == [write |-> 0, key |-> key]

\* What each session does, one after the other.
Program ==
    CASE Case = "read-twice" -> << <<W(1, "x")>>, <<R("x"), R("x")>> >>
      [] Case = "own-write"  -> << <<W(1, "x"), R("x")>> >>
      [] Case = "two-see"    -> << <<W(1, "x"), R("x")>>, <<R("x")>> >>
      [] Case = "overwrites" -> << <<W(1, "x"), W(2, "x"), R("x")>> >>
      [] Case = "rivals"     -> << <<W(1, "x"), R("x")>>, <<W(2, "x"), R("x")>> >>
      [] Case = "causes"     -> << <<W(1, "x")>>, <<R("x"), W(2, "y")>>, <<R("y"), R("x")>> >>
      [] Case = "read-write" -> << <<W(1, "x")>>, <<R("x"), W(2, "x"), R("x")>> >>

Sessions == DOMAIN Program
Operations == {p \in Sessions \X (1..3) : p[2] \in DOMAIN Program[p[1]]}
Writes == {Program[p[1]][p[2]].write : p \in Operations} \ {0}
Keys == {"x", "y"}
KeyOf(w) == LET at == CHOOSE p \in Operations : Program[p[1]][p[2]].write = w IN Program[at[1]][at[2]].key

\* How far a node has gone over.
Old == 0
Follows == 1     \* the next name; writes wait
Open == 2        \* writes go on, reads are Cassandra's own
Closed == 3      \* plain reads have ended
Vouches == 4

VARIABLES
    clock,    \* by node
    ts,       \* by write: its timestamp; 0 before it begins
    coord,    \* by write: its coordinator
    of,       \* by write: the name by which that began it
    x,        \* x[n][w]: the stamp under X; 0 if there is none
    y,        \* y[n][w]: the same under Y
    store,    \* by node: what its store has
    apart,    \* by node: of what it stamped under Y, what its history keeps apart from the store
    blocked,  \* and what it cannot keep apart
    step,     \* by node: how far it has gone over
    upTo,     \* by node: its clock when it followed
    looked,   \* by node that gains the partition: what its repair has found; <<>> before it begins
    unheard,  \* by node: what it has to stamp before it vouches
    since,    \* by node: when its baseline became known
    plain,    \* by session: its plain read that is under way
    token,    \* by session
    done      \* by session: what its operations so far returned: a read its value, a write Ended or GivenUp

vars == <<clock, ts, coord, of, x, y, store, apart, blocked, step, upTo, looked, unheard, since,
          plain, token, done>>
data == <<x, y, store, apart, blocked>>
moves == <<step, upTo, looked, unheard, since>>
writes == <<ts, coord, of>>
sessions == <<plain, token, done>>

None == [w \in Writes |-> 0]
NoRead == [at |-> Nobody, asked |-> {}, latest |-> 0]

Init ==
    /\ clock = [n \in Nodes |-> 0]
    /\ ts = None
    /\ coord = [w \in Writes |-> Nobody]
    /\ of = [w \in Writes |-> "-"]
    /\ x = [n \in Before |-> None]
    /\ y = [n \in After |-> None]
    /\ store = [n \in Before \cup After |-> {}]
    /\ apart = [n \in After |-> {}]
    /\ blocked = [n \in After |-> {}]
    /\ step = [n \in Nodes |-> IF ~Opened THEN Old ELSE IF n \in After THEN Open ELSE Follows]
    /\ upTo = [n \in Nodes |-> 0]
    /\ looked = [n \in Gained |-> <<>>]
    /\ unheard = [n \in After |-> {}]
    /\ since = [n \in After |-> 0]
    /\ plain = [s \in Sessions |-> NoRead]
    /\ token = [s \in Sessions |-> 0]
    /\ done = [s \in Sessions |-> <<>>]

Next1(s) == Program[s][Len(done[s]) + 1]
Busy(s) == Len(done[s]) < Len(Program[s])
Returns(s, value) == done' = [done EXCEPT ![s] = Append(@, value)]
Latest(set) == IF set = {} THEN 0 ELSE CHOOSE w \in set : \A other \in set : ts[other] <= ts[w]

\* Its stamps as they count under X, and under Y.
XStamp(n, w) == IF x[n][w] # 0 \/ NamesApart \/ n \notin After THEN x[n][w] ELSE y[n][w]
YStamp(n, w) == IF y[n][w] # 0 \/ NamesApart \/ n \notin Before THEN y[n][w] ELSE x[n][w]

\* What the others hear with the word that n follows: where it matters, of a later time than what was told before.
SaidAt(n) == IF Ousted = {} THEN upTo[n] ELSE upTo[n] + 1

\* Whom it waits for; and a time by which all of those follow, which its clock has passed when it opens.
Awaited(n) == (After \cup (IF n \in Before THEN Before ELSE {})) \ (Ousted \cup {n})
OpenedAt(n) == IF Ousted = {} \/ ~FollowersAwaited THEN 0 ELSE MaxOf({SaidAt(p) : p \in Awaited(n) \cup {n}})

-----------------------------------------------------------------------------
(* Writes *)

MayBegin(c) ==
    IF c \in After THEN \/ step[c] = Old /\ c \in Before
                        \/ step[c] >= IF WritesHeld THEN Open ELSE Follows
    ELSE TRUE

Begin(s, c) ==
    /\ Busy(s) /\ Next1(s).write # 0 /\ ts[Next1(s).write] = 0
    /\ MayBegin(c)
    /\ LET w == Next1(s).write
           least == Max(clock[c], token[s]) + 1
       IN \E t \in least..(least + Lead) :
            /\ t \in Times /\ \A other \in Writes : ts[other] # t
            /\ ts' = [ts EXCEPT ![w] = t]
            /\ coord' = [coord EXCEPT ![w] = c]
            /\ of' = [of EXCEPT ![w] = IF step[c] = Old THEN "X" ELSE "Y"]
            /\ clock' = [clock EXCEPT ![c] = Max(@, token[s])]
    /\ UNCHANGED <<data, moves, sessions>>

\* The next stamp of n for w, and its clock after that.
StampFor(n, w) == Max(clock[n] + 1, ts[w])
Raised(n, at) == IF at = clock[n] + 1 THEN at ELSE clock[n]

Stores(n, w) == store' = IF StoredLater THEN store ELSE [store EXCEPT ![n] = @ \cup {w}]

StampUnderX(n, w) ==
    /\ n \in Before /\ step[n] = Old /\ x[n][w] = 0
    /\ LET at == StampFor(n, w)
       IN /\ at \in Times
          /\ x' = [x EXCEPT ![n][w] = at]
          /\ clock' = [clock EXCEPT ![n] = Raised(n, at)]
    /\ Stores(n, w)
    /\ UNCHANGED <<y, apart, blocked>>

\* Rows are not kept apart where a mutation of theirs is in flight that is not.
IsRowBlocked(n, w) == \E v \in blocked[n] : KeyOf(v) = KeyOf(w)

\* Also what is carried over, or comes once more by a hint.
StampUnderY(n, w) ==
    /\ n \in After /\ step[n] >= Follows /\ y[n][w] = 0
    /\ LET at == StampFor(n, w)
       IN /\ at \in Times
          /\ y' = [y EXCEPT ![n][w] = at]
          /\ clock' = [clock EXCEPT ![n] = Raised(n, at)]
    /\ IF step[n] < Open \/ IsRowBlocked(n, w)
       THEN blocked' = [blocked EXCEPT ![n] = @ \cup {w}] /\ UNCHANGED apart
       ELSE apart' = [apart EXCEPT ![n] = IF w \in store[n] THEN @ ELSE @ \cup {w}] /\ UNCHANGED blocked
    /\ Stores(n, w)
    /\ UNCHANGED x

\* Cassandra sends what is written to whoever is about to hold the partition.
StoreUnstamped(n, w) ==
    /\ Unannounced
    /\ n \in Gained /\ step[n] = Old /\ w \notin store[n]
    /\ store' = [store EXCEPT ![n] = @ \cup {w}]
    /\ UNCHANGED <<clock, x, y, apart, blocked>>

\* At any time: a message, a hint, what a peer offers.
Deliver(n, w) ==
    /\ ts[w] # 0
    /\ StampUnderX(n, w) \/ StampUnderY(n, w) \/ StoreUnstamped(n, w)
    /\ UNCHANGED <<writes, moves, sessions>>

IsStamped(n, w) == (n \in Before /\ x[n][w] # 0) \/ (n \in After /\ y[n][w] # 0)

Store(n, w) ==
    /\ IsStamped(n, w) /\ w \notin store[n]
    /\ store' = [store EXCEPT ![n] = @ \cup {w}]
    /\ UNCHANGED <<clock, writes, x, y, apart, blocked, moves, sessions>>

\* Who acknowledges w under X, and under Y.
AcksX(w) == {n \in Before : XStamp(n, w) # 0 /\ w \in store[n]}
AcksY(w) ==
    {n \in After :
        /\ YStamp(n, w) # 0 /\ w \in store[n]
        /\ step[n] >= Follows
        /\ coord[w] \in After \/ ~AcksHeld \/ step[n] >= Open}

\* All have it that hold the partition now and did so before, as far as its coordinator has heard: of their stamps under
\* Y too few to count by themselves.
IsAtAllThatStayed(w) ==
    /\ Cardinality(Stayed) >= UntilPlain(After)
    /\ \A n \in Stayed : step[n] >= Follows
    /\ Stayed \subseteq AcksX(w) \cup AcksY(w)
    /\ Cardinality(Stayed \ AcksX(w)) < WriteQuorum(After)
    /\ MovedCarried => Stayed \cap AcksX(w) # {}
    /\ MovedVisible /\ coord[w] \notin After => Cardinality(Stayed) >= WriteQuorum(Before)

\* With what n acknowledges w under Y.
AckY(n, w) == IF AcksOfThen /\ step[n] >= Open THEN Max(YStamp(n, w), OpenedAt(n)) ELSE YStamp(n, w)
LastOf(w, quorum, under) == MaxOf({IF under = "X" THEN XStamp(n, w) ELSE AckY(n, w) : n \in quorum})

Quorums(acks, group) == {q \in SUBSET acks : Cardinality(q) = WriteQuorum(group)}

\* By the messages that it has had of those who follow, or have opened, its coordinator's clock is past this.
ClockAfter(c, acks) ==
    LET heard == {n \in acks : step[n] >= Follows}
    IN MaxOf({clock[c]} \cup {IF step[n] >= Open THEN OpenedAt(n) ELSE SaidAt(n) : n \in heard})

\* The tokens with which w is acknowledged.
Tokens(w) ==
    LET c == coord[w]
        byX == {LastOf(w, quorum, "X") : quorum \in Quorums(AcksX(w), Before)}
        now(quorum) == IF MovedToken THEN ClockAfter(c, quorum) + 1 ELSE 0
        byY == {[last |-> LastOf(w, quorum, "Y"), now |-> now(quorum)] : quorum \in Quorums(AcksY(w), After)}
        isFree == c \notin After \/ step[c] >= Open
    IN IF of[w] = "Y" THEN {each.last : each \in byY}
       ELSE IF step[c] = Old THEN byX
       ELSE (IF isFree THEN {Max(each.last, each.now) : each \in byY} ELSE {})
            \cup (IF isFree /\ IsAtAllThatStayed(w) THEN {now(Stayed)} ELSE {})

End(s) ==
    /\ Busy(s) /\ Next1(s).write # 0 /\ ts[Next1(s).write] # 0
    /\ LET w == Next1(s).write
       IN \E t \in Tokens(w) \cap Times : token' = [token EXCEPT ![s] = Max(@, t)]
    /\ Returns(s, Ended)
    /\ UNCHANGED <<clock, writes, data, moves, plain>>

GiveUp(s) ==
    /\ Failures
    /\ Busy(s) /\ Next1(s).write # 0 /\ ts[Next1(s).write] # 0
    /\ Returns(s, GivenUp)
    /\ UNCHANGED <<clock, writes, data, moves, plain, token>>

-----------------------------------------------------------------------------
(* The ring *)

\* What comes after opening matters to those who read by the next name.
IsLooked == Readers \cap After # {}

\* Before the ring changes: what some replica's store had.
Stream(n, from) ==
    /\ Unannounced
    /\ n \in Gained /\ from \in Before
    /\ \A other \in Nodes : step[other] = Old
    /\ ~(store[from] \subseteq store[n])
    /\ store' = [store EXCEPT ![n] = @ \cup store[from]]
    /\ UNCHANGED <<clock, writes, x, y, apart, blocked, moves, sessions>>

Follow(n) ==
    /\ step[n] = Old /\ n \notin Ousted
    /\ FollowStored => (n \in Before => \A w \in Writes : x[n][w] # 0 => w \in store[n])
    /\ step' = [step EXCEPT ![n] = Follows]
    /\ \E now \in IF Ousted = {} THEN {clock[n]} ELSE {t \in Times : t >= clock[n] /\ t + 1 \in Times} :
         /\ upTo' = [upTo EXCEPT ![n] = now]
         /\ clock' = [clock EXCEPT ![n] = IF Ousted = {} THEN now ELSE now + 1]
    /\ UNCHANGED <<writes, data, looked, unheard, since, sessions>>

\* Whether it says that all follow whom it knows of.
SaysAll(n) == step[n] >= Follows /\ (FollowersAwaited => \A p \in Awaited(n) : step[p] >= Follows)

OpenIt(n) ==
    /\ n \in After /\ step[n] = Follows /\ SaysAll(n)
    /\ NobodyHeldUp => \A p \in After : SaysAll(p)
    /\ step' = [step EXCEPT ![n] = Open]
    /\ clock' = [clock EXCEPT ![n] = Max(@, OpenedAt(n))]
    /\ UNCHANGED <<writes, data, upTo, looked, unheard, since, sessions>>

IsRetired(w) == \A n \in Before : x[n][w] # 0 /\ w \in store[n]
IsIn(n, w) == w \in store[n] \/ ~CarriedInStores

IsCarried(w) ==
    \/ IsRetired(w)
    \/ /\ Cardinality(Stayed) >= UntilPlain(After)
       /\ \A p \in Stayed : x[p][w] # 0 /\ step[p] >= Follows
    \/ Cardinality({p \in After : y[p][w] # 0 /\ IsIn(p, w)}) >= WriteQuorum(After)

\* Whether all is carried over that it had in flight under X. Then it has nothing to repair.
HasCarried(n) == CarriedByAll => \A w \in Writes : x[n][w] # 0 => IsCarried(w)

KeepsQuorums ==
    LET needed == UntilPlain(After)
    IN /\ Cardinality(Stayed) >= needed
       /\ ReadQuorum(Before) <= needed
       /\ WriteQuorum(After) >= needed

Carriers ==
    {n \in IF CarriersHeld THEN Stayed ELSE After : step[n] >= Open /\ (n \in Gained \/ HasCarried(n))}

IsPlain(n) ==
    /\ Plainly /\ n \in After /\ step[n] = Open /\ KeepsQuorums
    /\ EnoughCarried => Cardinality(Carriers) >= UntilPlain(After)

BeginRepair(n) ==
    /\ IsLooked
    /\ n \in Gained /\ looked[n] = <<>>
    /\ step[n] >= IF RepairAwaitsAll THEN Open ELSE Follows
    /\ looked' = [looked EXCEPT ![n] = <<UNION {store[p] : p \in After}>>]
    /\ UNCHANGED <<clock, writes, data, step, upTo, unheard, since, sessions>>

\* What p lacked comes into its store past the core.
Bring(n, p) ==
    /\ n \in Gained /\ looked[n] # <<>>
    /\ p \in After /\ ~(looked[n][1] \subseteq store[p])
    /\ store' = [store EXCEPT ![p] = @ \cup looked[n][1]]
    /\ UNCHANGED <<clock, writes, x, y, apart, blocked, moves, sessions>>

IsRepaired(n) ==
    IF n \in Stayed THEN HasCarried(n)
    ELSE looked[n] # <<>> /\ \A p \in After : looked[n][1] \subseteq store[p]

\* Plain reads have ended here, and all others have been heard since.
Close(n) ==
    /\ IsLooked
    /\ n \in After /\ step[n] = Open
    /\ RepairedFirst => \A p \in After : step[p] >= Open /\ IsRepaired(p)
    /\ step' = [step EXCEPT ![n] = Closed]
    /\ clock' = [clock EXCEPT ![n] = MaxOf({clock[p] : p \in After})]
    /\ unheard' = [unheard EXCEPT ![n] =
           IF AnnouncedStamped THEN {w \in Writes : y[n][w] = 0 /\ \E p \in After : y[p][w] # 0} ELSE {}]
    /\ UNCHANGED <<writes, data, upTo, looked, since, sessions>>

Vouch(n) ==
    /\ n \in After /\ step[n] = Closed
    /\ \A w \in unheard[n] : y[n][w] # 0
    /\ LET now == MaxOf({clock[n] + 1} \cup {y[n][w] : w \in Writes})
       IN /\ now \in Times
          /\ since' = [since EXCEPT ![n] = now]
          /\ clock' = [clock EXCEPT ![n] = @ + 1]
    /\ step' = [step EXCEPT ![n] = Vouches]
    /\ UNCHANGED <<writes, data, upTo, looked, unheard, sessions>>

-----------------------------------------------------------------------------
(* Reads *)

Reads(s) == Busy(s) /\ Next1(s).write = 0 /\ plain[s] = NoRead
RowOf(s) == {w \in Writes : ts[w] # 0 /\ KeyOf(w) = Next1(s).key}

CutRead(s, t, covers, value) ==
    /\ Returns(s, value)
    /\ token' = [token EXCEPT ![s] = Max(@, t)]
    /\ clock' = [p \in Nodes |-> IF p \in covers THEN Max(clock[p], t) ELSE clock[p]]
    /\ UNCHANGED <<writes, data, moves, plain>>

\* Who has a stamp of w up to t, and who may have one, as far as they know who cover t.
Yes(stampOf(_, _), group, w, t) == {p \in group : stampOf(p, w) # 0 /\ stampOf(p, w) <= t}
Maybe(stampOf(_, _), group, w, t, covers) ==
    Yes(stampOf, group, w, t)
        \cup {p \in group \ covers : stampOf(p, w) = 0 /\ clock[p] < t /\ ts[w] <= t}
IsVisible(stampOf(_, _), group, w, t) == Cardinality(Yes(stampOf, group, w, t)) >= WriteQuorum(group)
IsInvisible(stampOf(_, _), group, w, t, covers) ==
    Cardinality(Maybe(stampOf, group, w, t, covers)) < WriteQuorum(group)
IsKnown(stampOf(_, _), n, w, t, covers) ==
    stampOf(n, w) # 0 \/ \E p \in covers : stampOf(p, w) # 0 /\ stampOf(p, w) <= t

\* Whether p tells n of what it has stamped under X up to t.
TellsUnderX(p, n, t) ==
    \/ p = n
    \/ step[p] = Old
    \/ IF OustedToldNothing /\ n \in Ousted THEN t <= upTo[p] ELSE TRUE

ReadUnderX(s, n, t) ==
    /\ Reads(s) /\ n \in Before
    /\ LeftNotServed => step[n] = Old
    /\ t >= token[s]
    /\ \E covers \in {q \in SUBSET Before : n \in q /\ Cardinality(q) = ReadQuorum(Before)} :
         /\ \A p \in covers : TellsUnderX(p, n, t)
         /\ LET known == {w \in RowOf(s) : IsKnown(XStamp, n, w, t, covers)}
                top == Latest({w \in known : IsVisible(XStamp, Before, w, t)})
                above == {w \in known : top = 0 \/ ts[w] > ts[top]}
            IN /\ \A w \in above : IsInvisible(XStamp, Before, w, t, covers)
               /\ top = 0 \/ top \in store[n]
               /\ CutRead(s, t, covers, top)

\* Whether Y is served, and from which cut on.
IsServed == \A p \in After : step[p] = Vouches
Floor == MaxOf({since[p] : p \in After})

ReadUnderY(s, n, t) ==
    /\ Reads(s) /\ n \in After /\ IsServed
    /\ t >= token[s] /\ t >= Floor
    /\ \E covers \in {q \in SUBSET After : n \in q /\ Cardinality(q) = ReadQuorum(After)} :
            LET known == {w \in RowOf(s) : IsKnown(YStamp, n, w, t, covers)}
                visible == {w \in known : IsVisible(YStamp, After, w, t)}
                top == Latest(visible)
                above == {w \in known : top = 0 \/ ts[w] > ts[top]}
                unnoticed == {w \in RowOf(s) \cap store[n] : YStamp(n, w) = 0 \/ w \notin known}
                kept == {w \in above \cap store[n] : w \notin apart[n]}
            IN /\ \A w \in above : IsInvisible(YStamp, After, w, t, covers)
               /\ kept \cap blocked[n] = {}
               /\ top = 0 \/ top \in store[n]
               /\ CutRead(s, t, covers, Latest(visible \cup unnoticed \cup kept))

PlainBegin(s, n) ==
    /\ Reads(s) /\ IsPlain(n)
    /\ plain' = [plain EXCEPT ![s] = [at |-> n, asked |-> {}, latest |-> 0]]
    /\ UNCHANGED <<clock, writes, data, moves, token, done>>

PlainAsk(s, p) ==
    /\ plain[s] # NoRead /\ p \in After \ plain[s].asked
    /\ Cardinality(plain[s].asked) < WriteQuorum(After)
    /\ LET has == {w \in store[p] : KeyOf(w) = Next1(s).key}
           latest == Latest(has \cup ({plain[s].latest} \ {0}))
       IN plain' = [plain EXCEPT ![s] = [at |-> @.at, asked |-> @.asked \cup {p}, latest |-> latest]]
    /\ UNCHANGED <<clock, writes, data, moves, token, done>>

\* Once all that it has asked have what it shows. It counts if reads are plain still, and brings a token of then.
PlainEnd(s) ==
    /\ plain[s] # NoRead /\ Cardinality(plain[s].asked) = WriteQuorum(After)
    /\ LET n == plain[s].at
           shown == plain[s].latest
       IN IF IsPlain(n)
          THEN /\ shown # 0 => \A p \in plain[s].asked : shown \in store[p]
               /\ Returns(s, shown)
               /\ token' = [token EXCEPT ![s] =
                      Max(Max(@, clock[n]), IF shown = 0 THEN 0 ELSE ts[shown])]
          ELSE UNCHANGED <<done, token>>
    /\ plain' = [plain EXCEPT ![s] = NoRead]
    /\ UNCHANGED <<clock, writes, data, moves>>

Next ==
    \/ \E s \in Sessions :
        \/ \E c \in Coordinators : Begin(s, c)
        \/ End(s) \/ GiveUp(s)
        \/ \E n \in Readers :
            \/ PlainBegin(s, n)
            \/ \E t \in Times : ReadUnderX(s, n, t) \/ ReadUnderY(s, n, t)
        \/ \E p \in After : PlainAsk(s, p)
        \/ PlainEnd(s)
    \/ \E n \in Before \cup After :
        \/ \E w \in Writes : Deliver(n, w) \/ Store(n, w)
        \/ \E p \in Before \cup After : Stream(n, p) \/ Bring(n, p)
        \/ OpenIt(n) \/ BeginRepair(n) \/ Close(n) \/ Vouch(n)
    \/ \E n \in Nodes : Follow(n)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Sequential consistency, as in ReadsAtACut *)

Begun(s) == Busy(s) /\ Next1(s).write # 0 /\ ts[Next1(s).write] # 0
History(s) == IF Begun(s) THEN Append(done[s], GivenUp) ELSE done[s]

\* at[s]: how many operations of s are ordered; free: writes that may take effect; row: each key's value.
RECURSIVE Fits(_, _, _)
Fits(at, free, row) ==
    LET left == {s \in Sessions : at[s] < Len(History(s))}
        op(s) == Program[s][at[s] + 1]
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

NobodyWritesByTheOldView ==
    ~\E w \in Writes : of[w] = "X" /\ step[coord[w]] = Old /\ (\E n \in After : step[n] >= Follows) /\ Tokens(w) # {}
NobodyWaitsForTheNextName == ~\E s \in Sessions, n \in Stayed : Reads(s) /\ token[s] > 0 /\ step[n] = Follows
AllThatStayNeverAcknowledge ==
    ~\E w \in Writes : of[w] = "X" /\ coord[w] \in After /\ step[coord[w]] >= Open /\ IsAtAllThatStayed(w)
NothingIsCarriedOver == ~\E n \in Stayed, w \in Writes : x[n][w] # 0 /\ y[n][w] # 0 /\ IsCarried(w)
NobodyReadsPlainly == \A s \in Sessions : plain[s] = NoRead
NothingIsRepaired == ~\E n \in Gained : looked[n] # <<>> /\ looked[n][1] # {} /\ IsRepaired(n)
NothingIsAnnouncedLate == \A n \in After : unheard[n] = {}
NobodyVouches == \A n \in Gained : step[n] < Vouches
NoReadEnds == \A s \in Sessions, i \in 1..3 : i \in DOMAIN done[s] => Program[s][i].write # 0
NobodyOffTheRingReads ==
    NoReadEnds \/ ~\E n \in Ousted, p \in After : step[n] = Old /\ step[p] >= Open /\ upTo[p] > 0
=============================================================================
