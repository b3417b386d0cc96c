package dev.recorder.leadership;

import dev.recorder.slotlog.Term;
import org.jspecify.annotations.Nullable;

/** A coordinator's notes about one recorder. */
final class Seat {
  final Candidacy candidacy;
  @Nullable String unable = "not checked yet";
  @Nullable Term term;
  @Nullable String releaseWhy;
  @Nullable Long vacantSince;

  /** The term whose holder was evicted, so that its end is still called silence, not death. */
  long evictedEpoch = -1;

  long evictedSilenceMillis;
  String lastWhy = "";

  Seat(Candidacy candidacy) {
    this.candidacy = candidacy;
  }

  int lockId() {
    return candidacy.lockId();
  }

  boolean isActive() {
    return term != null;
  }

  /** Forgets what was only true on the session that is gone. */
  void forgetSession() {
    term = null;
    releaseWhy = null;
    vacantSince = null;
    evictedEpoch = -1;
  }
}
