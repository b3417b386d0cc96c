------------------------------- MODULE Table --------------------------------
(* A log as a table: commits with numbers, which name files of slots. Slots are there before, and never change.
   Every PUT ever sent, of a file or of a commit, may be applied at any later time, any number of times. A host may
   stop at any time, and begin again with the table as of any commit.                                             *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Nodes, S, V, None, Cond, Fresh, Known, Hash, Await, Same
VARIABLES log, files, net, nd
vars == <<log, files, net, nd>>
Slots == 1..S
Versions == 1..V
Name(f) == IF Hash THEN f ELSE [f EXCEPT !.by = None]          \* two hosts pack the same rows differently
There(f) == \E x \in files : x.name = Name(f)
Txn(v) == IF v = 0 \/ log[v] = None THEN 0 ELSE log[v].k        \* slots 1..k are in the table
RECURSIVE Live(_)
Live(v) == IF v = 0 THEN {} ELSE IF log[v] = None THEN Live(v-1) ELSE (Live(v-1) \ log[v].rem) \cup log[v].add
Out == [ph |-> "out", v |-> 0, k |-> 0, c |-> None]
Init == log = [v \in Versions |-> None] /\ files = {} /\ net = {} /\ nd = [n \in Nodes |-> Out]
Start(n) == \E v \in 0..V : (v \in DOMAIN log => log[v] # None) /\ UNCHANGED <<log,files,net>> /\
   nd' = [nd EXCEPT ![n] = [ph |-> "look", v |-> v, k |-> Txn(v), c |-> None]]
Look(n) == LET v == nd[n].v IN nd[n].ph = "look" /\ v < V /\ UNCHANGED <<log,files,net>> /\
   nd' = [nd EXCEPT ![n] = IF log[v+1] = None THEN [@ EXCEPT !.ph = "idle"]
                           ELSE [@ EXCEPT !.v = v+1, !.k = IF Fresh THEN log[v+1].k ELSE @]]
Prepare(n,f,rem,k) == net' = net \cup {[file |-> f]} /\ UNCHANGED <<log,files>> /\
   nd' = [nd EXCEPT ![n].ph = "file", ![n].c = [v |-> nd[n].v+1, k |-> k, add |-> {f}, rem |-> rem]]
Append(n) == nd[n].ph = "idle" /\ \E to \in (nd[n].k+1)..S :
   Prepare(n, [from |-> nd[n].k+1, to |-> to, by |-> n], {}, to)
Merge(n) == nd[n].ph = "idle" /\ \E f, g \in Live(nd[n].v) : f.to + 1 = g.from /\
   Prepare(n, [from |-> f.from, to |-> IF Same THEN g.to ELSE f.to, by |-> n], {f,g}, nd[n].k)
Send(n) == nd[n].ph = "file" /\ (~Await \/ \A f \in nd[n].c.add : There(f)) /\
   net' = net \cup {[commit |-> nd[n].c]} /\ nd' = [nd EXCEPT ![n].ph = "wait"] /\ UNCHANGED <<log,files>>
ApplyFile(m) == "file" \in DOMAIN m /\ ~There(m.file) /\
   files' = files \cup {[name |-> Name(m.file), by |-> m.file.by]} /\ UNCHANGED <<log,net,nd>>
ApplyCommit(m) == "commit" \in DOMAIN m /\ (~Cond \/ log[m.commit.v] = None) /\
   log' = [log EXCEPT ![m.commit.v] = m.commit] /\ UNCHANGED <<files,net,nd>>
Reply(n) == nd[n].ph = "wait" /\ UNCHANGED <<log,files,net>> /\ LET c == nd[n].c IN   \* ours, or another's
   IF log[c.v] # None THEN nd' = [nd EXCEPT ![n] = [ph |-> "look", v |-> c.v, k |-> log[c.v].k, c |-> None]]
   ELSE ~Known /\ nd' = [nd EXCEPT ![n] = [ph |-> "look", v |-> c.v, k |-> c.k, c |-> None]]
Next == \/ \E n \in Nodes : Start(n) \/ Look(n) \/ Append(n) \/ Merge(n) \/ Send(n) \/ Reply(n)
        \/ \E m \in net : ApplyFile(m) \/ ApplyCommit(m)
Spec == Init /\ [][Next]_vars
NoGap == \A v \in Versions : (v > 1 /\ log[v] # None) => log[v-1] # None
Once  == \A v \in Versions : log[v] # None => \A s \in Slots :
   Cardinality({f \in Live(v) : f.from <= s /\ s <= f.to}) = IF s <= log[v].k THEN 1 ELSE 0
Named == \A v \in Versions : log[v] # None => \A f \in log[v].add : [name |-> Name(f), by |-> f.by] \in files
Immut == [][\A v \in Versions : log[v] # None => log'[v] = log[v]]_vars
Sym   == Permutations(Nodes)
=============================================================================
