package dev.recorder.clearing.race;

import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves;
import java.util.Set;

/** One step of clearing, left out or done wrongly: a race that does not notice proves nothing. */
enum Breakage {
  NONE,
  /** What the leaf has is not looked at again under the lock, though some come late to it. */
  NO_SECOND_LOOK {
    @Override
    String empty(Race race, HandoffLeaves leaves, Closed leaf, HandoffLeaves.Proof proof) {
      race.latecomers.letAllGo(leaf.leaf());
      HandoffLeaves.Proof believed =
          new HandoffLeaves.Proof(leaves.content(leaf), proof.blocks(), proof.upTo());
      return super.empty(race, leaves, leaf, believed);
    }
  },
  /** What is to be found in the log is read by the index. */
  BY_THE_INDEX {
    @Override
    String sql(String sql) {
      if (sql.contains("enable_indexscan = off")) {
        return "SET jit = off; SET enable_seqscan = off; SET enable_tidscan = off; SET"
            + " enable_bitmapscan = off";
      }
      return sql.startsWith("COPY (")
          ? sql.replace("WHERE h.ctid", "WHERE h.xid >= '0'::xid8 AND h.ctid")
          : sql;
    }

    @Override
    int turnsPerDamage() {
      return 8;
    }
  },
  /** New rows are not kept out while the leaf is looked at again. */
  NO_LOCK {
    @Override
    String sql(String sql) {
      return sql.endsWith("IN SHARE MODE") ? "SELECT 1" : sql;
    }
  },
  /** Who has lost the term goes on. */
  OLD_EPOCH {
    @Override
    String sql(String sql) {
      return sql.startsWith("SELECT EXISTS") ? sql.replace("epoch = ?", "epoch >= ?") : sql;
    }
  },
  /** A leaf is emptied without a look at the objects. */
  BEFORE_THE_OBJECT_WAS_SEEN {
    @Override
    boolean proves() {
      return false;
    }
  };

  /** What is sent in the place of a statement. */
  String sql(String sql) {
    return sql;
  }

  /** Empties a leaf. */
  String empty(Race race, HandoffLeaves leaves, Closed leaf, HandoffLeaves.Proof proof) {
    return leaves.empty(leaf, proof);
  }

  /** How often a row is missed by the index. */
  int turnsPerDamage() {
    return 60;
  }

  /** Whether objects are looked at. */
  boolean proves() {
    return true;
  }

  /** Takes whatever a leaf has for recorded. */
  static HandoffLeaves.Proof unproved(HandoffLeaves leaves, Closed leaf) {
    return new HandoffLeaves.Proof(leaves.content(leaf), Set.of(leaf.block()), 0);
  }
}
