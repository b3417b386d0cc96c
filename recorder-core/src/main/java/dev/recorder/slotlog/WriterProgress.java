package dev.recorder.slotlog;

/**
 * When a writer last got on: it settled or adopted a slot, found nothing to do yet, or is kept from
 * it by what would keep every other host from it, so that nothing is won by going there. Everything
 * else, however busy, is no progress: a store that refuses each PUT answers each HEAD in between.
 * Pure; not thread-safe.
 */
public final class WriterProgress {
  private long at;
  private boolean slotUnderWay;

  /** Counts from {@code begunAt}. */
  public WriterProgress(long begunAt) {
    this.at = begunAt;
  }

  /** Takes note of an answer that came at {@code now}. */
  public void note(Effect effect, Event event, long now) {
    if (event instanceof Event.Settled || event instanceof Event.Adopted) {
      slotUnderWay = false;
      at = now;
    } else if (isTheSameElsewhere(event)) {
      at = now;
    } else if (hasNothingToDo(event) && !slotUnderWay) {
      at = now;
    } else if (effect instanceof Effect.Plan || effect instanceof Effect.Put) {
      slotUnderWay = true;
    }
  }

  private static boolean isTheSameElsewhere(Event event) {
    return event instanceof Event.Paused
        || (event instanceof Event.DatabaseUnclear unclear && unclear.everywhere());
  }

  /** Rows that linger for a fuller slot are not to be written yet. */
  private static boolean hasNothingToDo(Event event) {
    return event instanceof Event.NothingWaiting || event instanceof Event.NotFull;
  }

  public long at() {
    return at;
  }
}
