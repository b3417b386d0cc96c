package dev.recorder.clearing.race;

import dev.recorder.clearing.ClearingPlan.Closed;

/** How far a clearer has got with the leaf that it empties. For one thread. */
final class Attempt {
  /** Of a proof: a few for each slot, of which there are some twenty if all goes well. */
  private static final int MANY_STATEMENTS = 100;

  private final Journal journal;
  private int statements;
  private boolean underWay;
  private boolean proving;
  private int leaf;
  private long block;
  private long checked;
  private long truncates;

  Attempt(Journal journal) {
    this.journal = journal;
  }

  /** The leaf is compared with the log. */
  void prove(Closed closed) {
    leaf = closed.leaf();
    proving = true;
    statements = 0;
  }

  void begin(Closed closed) {
    proving = false;
    underWay = true;
    leaf = closed.leaf();
    block = closed.block();
    checked = 0;
    truncates = 0;
  }

  void end(boolean cleared) {
    underWay = false;
    if (cleared) {
      journal.cleared(new Journal.Cleared(leaf, block, checked, truncates, System.nanoTime()));
    }
  }

  /** A statement comes next. */
  void note(String sql) {
    statements++;
    if (sql.startsWith("TRUNCATE")) {
      truncates = System.nanoTime();
    } else if (sql.startsWith("SELECT EXISTS") && sql.contains("epoch")) {
      checked = System.nanoTime();
    }
  }

  /** Whether a leaf has been proved, and is not emptied yet. */
  boolean isUnderWay() {
    return underWay;
  }

  /** Whether the leaf has been looked at again. */
  boolean isChecked() {
    return underWay && checked != 0;
  }

  /** Whether the leaf is being proved. */
  boolean isProving() {
    return proving;
  }

  /** Whether the leaf's proof takes so long that it would never end if it was disturbed further. */
  boolean isLong() {
    return proving && statements > MANY_STATEMENTS;
  }

  int leaf() {
    return leaf;
  }

  /** The session has ended. */
  void breakOff() {
    proving = false;
    underWay = false;
  }
}
