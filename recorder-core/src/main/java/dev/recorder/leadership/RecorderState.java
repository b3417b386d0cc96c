package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import dev.recorder.metrics.Readiness;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a coordinator knows of one recorder. */
final class RecorderState {
  Candidacy candidacy;
  @Nullable String unable = Readiness.CHECKING; // As it was told last.
  boolean rechecking;
  boolean removed;

  /** Whether an operator wants this machine to have nothing. */
  boolean draining;

  /** The latest term of this machine's. */
  long lastEpoch = -1;

  @Nullable Term term;
  String lastWhy = "";

  // ---- as the active machine

  @Nullable String releaseWhy;

  /** Which of the machine's attempts to release something was the last at this term; 0 for none. */
  long triedToRelease;

  /** To whom the recorder goes when it is released, if to anyone in particular. */
  @Nullable HandoverRequest leavingTo;

  /** When what is under way has had its time, if the term is being left. */
  @Nullable Long leaveBy;

  /** Until then no operator's order is queried again: the last could not be accepted. */
  @Nullable Long deafUntil;

  /** Whether an operator took the primary flag from this machine during the term. */
  boolean relinquished;

  long progressAt;
  @Nullable Long stuckSince;
  @Nullable String readyPrimary;
  long readySince;

  // ---- as a standby

  @Nullable Long vacantSince;
  @Nullable Long calledSince;

  /** The term whose holder was evicted, so that its end is still called silence, not death. */
  long evictedEpoch = -1;

  RecorderState(Candidacy candidacy) {
    this.candidacy = candidacy;
  }

  int lockId() {
    return candidacy.lockId();
  }

  boolean isActive() {
    return term != null;
  }

  void begin(Term begun, long now) {
    forgetSession();
    term = begun;
    lastEpoch = begun.epoch();
    lastWhy = "";
    progressAt = now;
  }

  boolean isDeaf(long now) {
    return deafUntil != null && now - deafUntil < 0;
  }

  /** Notes the primary that could take the recorder back, if one could. */
  void noteReady(@Nullable String primary, long now) {
    if (primary == null || !primary.equals(readyPrimary)) {
      readyPrimary = primary;
      readySince = now;
    }
  }

  Duration readyFor(long now) {
    return readyPrimary == null ? Duration.ZERO : Duration.ofNanos(now - readySince);
  }

  Duration vacantFor(long now) {
    return since(vacantSince, now);
  }

  Duration stuckFor(long now) {
    return since(stuckSince, now);
  }

  private static Duration since(@Nullable Long then, long now) {
    return then == null ? Duration.ZERO : Duration.ofNanos(now - then);
  }

  /** Forgets what was only true on the session that is gone. */
  void forgetSession() {
    term = null;
    releaseWhy = null;
    triedToRelease = 0;
    leavingTo = null;
    leaveBy = null;
    deafUntil = null;
    relinquished = false;
    stuckSince = null;
    readyPrimary = null;
    vacantSince = null;
    calledSince = null;
    evictedEpoch = -1;
  }
}
