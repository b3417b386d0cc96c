package dev.recorder.slotlog;

/**
 * The time at which a writer last made progress. Progress is a settled or adopted slot, or having
 * nothing to do yet. An obstacle that would stop every host alike also counts, since a hand-over
 * would not help. Nothing else counts, however busy the writer is: a store that refuses each PUT
 * may answer each HEAD in between. Pure; not thread-safe.
 */
public final class WriterProgress {
  private long at;
  private long ownProgressAt;
  private boolean slotUnderWay;

  /**
   * Whether the log was loaded since the slot was planned or put. Then the slot's rows would be
   * read again, unless the slot was settled after all.
   */
  private boolean loadedSince;

  /** Makes a measurement that begins with progress at {@code begunAt}. */
  public WriterProgress(long begunAt) {
    this.at = begunAt;
    this.ownProgressAt = begunAt;
  }

  /**
   * Notes an answer that came at {@code now}.
   *
   * @return whether the writer made progress itself, so that its obstacle is gone
   */
  public boolean note(Effect effect, Event event, long now) {
    if (event instanceof Event.Settled
        || event instanceof Event.Adopted
        || (event instanceof Event.NothingWaiting && loadedSince)) {
      slotUnderWay = false;
      return madeProgress(now);
    } else if (hasNothingToDo(event) && !slotUnderWay) {
      return madeProgress(now);
    }
    if (isTheSameElsewhere(event)) {
      at = now;
    }
    if (effect instanceof Effect.Plan || effect instanceof Effect.Put) {
      slotUnderWay = true;
      loadedSince = false;
    } else if (event instanceof Event.Loaded) {
      loadedSince = true;
    }
    return false;
  }

  private boolean madeProgress(long now) {
    at = now;
    ownProgressAt = now;
    return true;
  }

  private static boolean isTheSameElsewhere(Event event) {
    return event instanceof Event.Paused
        || (event instanceof Event.DatabaseUnclear unclear && unclear.everywhere());
  }

  /**
   * Returns whether no rows are due. Lingering rows are not due yet, and no rows are due during a
   * pause.
   */
  private static boolean hasNothingToDo(Event event) {
    return event instanceof Event.NothingWaiting
        || event instanceof Event.NotFull
        || event instanceof Event.Paused;
  }

  /**
   * Returns when the writer last made progress itself, without obstacles that would stop every host
   * alike.
   */
  public long ownProgressAt() {
    return ownProgressAt;
  }

  public long at() {
    return at;
  }
}
