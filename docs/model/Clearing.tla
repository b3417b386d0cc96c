------------------------------ MODULE Clearing ------------------------------
(* One leaf of a hand-off table, emptied by machines of which one holds the term. Rows come at any time, as those do whose ids were
   drawn before the leaf was closed. A row version is a number, given out again by a database that was restored to an earlier
   state; who clears may end at any step, and be replaced at any step. The log has rows one by one: see SlotLog.             *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Rows, Nodes, Look2, Pages, Lock, Term, Seen, Forget
VARIABLES db, save, log, nd, lock, holder, born, bad
vars == <<db,save,log,nd,lock,holder,born,bad>>
Nobody == "-"
Idle == [ph |-> "idle", had |-> {}, mine |-> FALSE, force |-> FALSE]
Empty == [leaf |-> {}, open |-> {}, next |-> 1, com |-> {}, miss |-> {}, plan |-> {}, rec |-> {}]
None == [kept |-> FALSE]
Names(ts) == {t[1] : t \in ts}
R(ts) == {t[2] : t \in ts}
Init == /\ db = Empty /\ save = None /\ log = {} /\ nd = [n \in Nodes |-> Idle] /\ lock = Nobody
        /\ holder \in Nodes /\ born = {} /\ bad = FALSE
\* producers: an insert waits for the lock, and holds one until its transaction ends
Insert(r) == r \notin born /\ lock = Nobody /\ born' = born \cup {r} /\ UNCHANGED <<save,log,nd,lock,holder,bad>>
   /\ db' = [db EXCEPT !.open = @ \cup {<<db.next,r>>}, !.next = @+1]
CommitT(t,missed) == t \in db.open /\ UNCHANGED <<save,log,nd,lock,holder,born,bad>>
   /\ db' = [db EXCEPT !.open = @ \ {t}, !.leaf = @ \cup {t}, !.com = @ \cup {t[2]}, !.miss = IF missed THEN @ \cup {t[2]} ELSE @]
Abort(t) == t \in db.open /\ db' = [db EXCEPT !.open = @ \ {t}] /\ UNCHANGED <<save,log,nd,lock,holder,born,bad>>
\* the writer finds rows by the index; the plan, the object, and what settles it
Plan(r) == r \in R(db.leaf) \ (db.miss \cup db.plan) /\ db' = [db EXCEPT !.plan = @ \cup {r}] /\ UNCHANGED <<save,log,nd,lock,holder,born,bad>>
Put(r) == r \in db.plan /\ r \notin log /\ log' = log \cup {r} /\ UNCHANGED <<db,save,nd,lock,holder,born,bad>>
Settle(r) == r \in log \ db.rec /\ db' = [db EXCEPT !.rec = @ \cup {r}] /\ UNCHANGED <<save,log,nd,lock,holder,born,bad>>
\* faults
Takeover(n) == holder # n /\ holder' = n /\ nd' = [m \in Nodes |-> [nd[m] EXCEPT !.mine = FALSE]] /\ UNCHANGED <<db,save,log,lock,born,bad>>
End(n) == nd[n] # Idle /\ nd' = [nd EXCEPT ![n] = Idle] /\ lock' = (IF lock = n THEN Nobody ELSE lock) /\ UNCHANGED <<db,save,log,holder,born,bad>>
Save == save = None /\ save' = db /\ UNCHANGED <<db,log,nd,lock,holder,born,bad>>
Restore == DOMAIN save = DOMAIN db /\ db # save /\ db' = [save EXCEPT !.open = {}] /\ save' = [kept |-> TRUE] /\ lock' = Nobody /\ UNCHANGED <<log,holder,born,bad>>
   /\ nd' = [n \in Nodes |-> IF ~Forget /\ nd[n].ph = "proved" THEN nd[n] ELSE Idle]
\* who clears: what the leaf has, the proof, and then one transaction
Have(n) == nd[n].ph = "idle" /\ holder = n /\ nd' = [nd EXCEPT ![n].ph = "had", ![n].had = Names(db.leaf), ![n].mine = TRUE] /\ UNCHANGED <<db,save,log,lock,holder,born,bad>>
Prove(n) == nd[n].ph = "had" /\ UNCHANGED <<db,save,log,lock,holder,born,bad>>
   /\ R(db.leaf) \ (IF Pages THEN {} ELSE db.miss) \subseteq (IF Seen THEN db.rec ELSE db.plan)
   /\ nd' = [nd EXCEPT ![n].ph = "proved"]
Share(n) == nd[n].ph = "proved" /\ (Lock => lock = Nobody /\ db.open = {}) /\ UNCHANGED <<db,save,log,holder,born,bad>>
   /\ lock' = (IF Lock THEN n ELSE lock) /\ nd' = [nd EXCEPT ![n].ph = "locked", ![n].force = nd[n].mine]
Again(n) == nd[n].ph = "locked" /\ UNCHANGED <<db,save,log,holder,born,bad>>
   /\ IF (Look2 => Names(db.leaf) = nd[n].had) /\ (Term => nd[n].mine)
      THEN nd' = [nd EXCEPT ![n].ph = "checked"] /\ lock' = lock
      ELSE nd' = [nd EXCEPT ![n] = Idle] /\ lock' = (IF lock = n THEN Nobody ELSE lock)
Truncate(n) == nd[n].ph = "checked" /\ lock \in {n, Nobody} /\ db.open = {} /\ UNCHANGED <<save,log,holder,born>>
   /\ db' = [db EXCEPT !.leaf = {}] /\ bad' = (bad \/ ~nd[n].force) /\ nd' = [nd EXCEPT ![n] = Idle] /\ lock' = Nobody
Next == \/ \E r \in Rows : Insert(r) \/ Plan(r) \/ Put(r) \/ Settle(r)
        \/ \E t \in db.open : Abort(t) \/ \E missed \in BOOLEAN : CommitT(t,missed)
        \/ Save \/ Restore
        \/ \E n \in Nodes : Takeover(n) \/ End(n) \/ Have(n) \/ Prove(n) \/ Share(n) \/ Again(n) \/ Truncate(n)
Spec == Init /\ [][Next]_vars
\* what this database has committed is in its table or in the log
NoLoss == db.com \subseteq R(db.leaf) \cup log
\* whoever empties a leaf held the term when its transaction began, or later
InTerm == ~bad
Sym == Permutations(Rows) \cup Permutations(Nodes)
=============================================================================
