package dev.recorder.clearing.race;

import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves;
import dev.recorder.clearing.LeafContent;
import dev.recorder.clearing.TableState;
import dev.recorder.handoff.Term;
import java.util.Optional;

/** Leaves of a term, which blame whoever changes something when the term is over. */
final class WatchedLeaves implements HandoffLeaves {
  private final HandoffLeaves real;
  private final Race race;
  private final Term term;
  private final Attempt attempt;

  WatchedLeaves(HandoffLeaves real, Race race, Term term, Attempt attempt) {
    this.real = real;
    this.race = race;
    this.term = term;
    this.attempt = attempt;
  }

  @Override
  public boolean rotate(long block) {
    long inForce = race.terms.current().epoch();
    boolean rotated = real.rotate(block);
    blameIf(rotated, "rotated", inForce);
    return rotated;
  }

  @Override
  public String empty(Closed leaf, Proof proof) {
    long inForce = race.terms.current().epoch();
    attempt.begin(leaf);
    String trouble = race.breakage.empty(race, real, leaf, proof);
    attempt.end(trouble.isEmpty());
    blameIf(trouble.isEmpty(), "emptied leaf " + leaf.leaf(), inForce);
    return trouble;
  }

  private void blameIf(boolean changed, String what, long inForce) {
    if (changed && term.epoch() < inForce) {
      race.journal.blame("epoch %d %s when %d had begun".formatted(term.epoch(), what, inForce));
    }
  }

  @Override
  public Object session() {
    return real.session();
  }

  @Override
  public TableState look() {
    return real.look();
  }

  @Override
  public void noteBlock(long block) {
    real.noteBlock(block);
  }

  @Override
  public void mergeBlocks(long currentBlock) {
    real.mergeBlocks(currentBlock);
  }

  @Override
  public String inUse(Closed leaf) {
    return real.inUse(leaf);
  }

  @Override
  public String heldBy(Closed leaf) {
    return real.heldBy(leaf);
  }

  @Override
  public LeafContent content(Closed leaf) {
    return real.content(leaf);
  }

  @Override
  public HandoffRows rows(Closed leaf) {
    attempt.prove(leaf);
    return real.rows(leaf);
  }

  @Override
  public LogRecords records() {
    return real.records();
  }

  @Override
  public Optional<String> troubleOfOne(RuntimeException failure) {
    return real.troubleOfOne(failure);
  }
}
