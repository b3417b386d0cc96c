package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import dev.recorder.metrics.Readiness;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A coordinator's state of one recorder. */
final class RecorderState {
  Candidacy candidacy;
  @Nullable String unable = Readiness.CHECKING; // As last set.
  boolean rechecking;
  boolean removed;

  /** Whether an operator drains this host. */
  boolean draining;

  /** The epoch of this host's latest term. */
  long lastEpoch = -1;

  @Nullable Term term;
  String lastWhy = "";

  // ---- as the active host

  @Nullable String releaseWhy;

  /**
   * The number of the last attempt to release this term, among all of the host's attempts; 0 for
   * none.
   */
  long triedToRelease;

  /**
   * The request by which the recorder is handed over when it is released; null if no host is named.
   */
  @Nullable HandoverRequest leavingTo;

  /** The time by which the slot under way must settle, if the term is being left. */
  @Nullable Long leaveBy;

  /** The time until which no operator's order is tried again, after one could not be accepted. */
  @Nullable Long deafUntil;

  /** Whether this host ceased to be primary during the term, by a change of the configuration. */
  boolean relinquished;

  long progressAt;
  @Nullable Long stuckSince;
  @Nullable String readyPrimary;
  long readySince;

  // ---- as a standby

  @Nullable Long vacantSince;
  @Nullable Long calledSince;

  /**
   * The epoch whose holder was evicted. The takeover's reason is then silence, even if the
   * session's end is seen first.
   */
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

  /** Notes the primary that could take the recorder back; null if none could. */
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

  /** Forgets the state that was only valid on the lost session. */
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
