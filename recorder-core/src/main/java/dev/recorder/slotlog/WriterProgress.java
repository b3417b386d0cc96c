package dev.recorder.slotlog;

/**
 * When a writer last made progress: it settled or adopted a slot, found nothing to do yet, or is
 * kept from it by what would keep every other host from it, so that nothing is won by going there.
 * Everything else, however busy, is no progress: a store that refuses each PUT answers each HEAD in
 * between. Pure; not thread-safe.
 */
public final class WriterProgress {
  private long at;
  private long ownProgressAt;
  private boolean slotUnderWay;

  /** Then rows of the slot are found again, unless it was settled all the same. */
  private boolean loadedSince;

  /** Counts from {@code begunAt}. */
  public WriterProgress(long begunAt) {
    this.at = begunAt;
    this.ownProgressAt = begunAt;
  }

  /**
   * Takes note of an answer that came at {@code now}.
   *
   * @return whether the writer made progress itself, so that whatever was in its way is over
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

  /** Rows that linger for a fuller slot are not to be written yet, nor are any while paused. */
  private static boolean hasNothingToDo(Event event) {
    return event instanceof Event.NothingWaiting
        || event instanceof Event.NotFull
        || event instanceof Event.Paused;
  }

  /**
   * When it last made progress itself: what would keep every host from it does not count for that.
   */
  public long ownProgressAt() {
    return ownProgressAt;
  }

  public long at() {
    return at;
  }
}
