package dev.recorder.reader;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.LineFields;
import dev.recorder.reader.LogReadException.LogReadErrorKind;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.WindowPart;
import dev.recorder.store.ObjectStore;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Finds the slot of a moment in a log from the metadata of its objects, by HEADs whose number grows
 * with the logarithm of the number of slots. For a transaction, it searches the slots of each
 * database and timeline that wrote the log, since another database or timeline assigns its own
 * transaction numbers. It then reads slots, from the first that may have a row of the transaction.
 *
 * <p>If a database's clock was set back, times do not rise with the slots. Then the search finds
 * one of the slots at which the given time is passed.
 *
 * <p>For one thread. The caller closes the store.
 */
public final class MomentSearch {
  /** The last slot is not known: a missing object counts as the log's end. */
  private static final long UNKNOWN = -1;

  private final ObjectStore bucket;
  private final LogLayout layout;
  private final UUID log;
  private final SlotSource source;
  private final long last;

  private MomentSearch(ObjectStore bucket, LogLayout layout, UUID log, long last) {
    this.bucket = bucket;
    this.layout = layout;
    this.log = log;
    this.source = new SlotSource(bucket, layout, log);
    this.last = last;
  }

  /** Makes a search without a database. A missing object counts as the log's end. */
  public static MomentSearch of(ObjectStore bucket, LogLayout layout, UUID log) {
    return new MomentSearch(bucket, layout, log, UNKNOWN);
  }

  /**
   * Makes a search in the settled slots. A missing object is an error.
   *
   * @param last the last settled slot
   */
  public static MomentSearch upTo(long last, ObjectStore bucket, LogLayout layout, UUID log) {
    return new MomentSearch(bucket, layout, log, last);
  }

  /** Returns whether the slot's object exists. */
  public boolean isThere(long slot) {
    return slot > 0 && source.isThere(slot);
  }

  /**
   * Returns the first slot that is not before a moment; the number after the log's last slot if all
   * slots are before it.
   *
   * @param first the log's first slot, or a slot before the moment
   * @throws LogReadException if the store does not answer, if a requested object is missing or does
   *     not state when its rows were read, or if no slot has a row of the transaction
   */
  public long firstNotBefore(LogMoment moment, long first) {
    if (moment instanceof LogMoment.SlotBegin slot) {
      return last == UNKNOWN ? slot.slot() : Math.min(slot.slot(), last + 1);
    }
    long end = end(first);
    if (moment instanceof LogMoment.TimeOfDatabase time) {
      return search(first, end, slot -> !time(slot).isBefore(time.time()));
    }
    return slotOf((LogMoment.TransactionBegin) moment, first, end);
  }

  /**
   * Returns the metadata of the last slot of the last window that ended before {@code slot}.
   *
   * @param first the log's first slot
   */
  public Optional<ObjectMetadata> lastWindowBefore(long slot, long first) {
    WindowPart next = source.metadata(slot).map(ObjectMetadata::window).orElse(null);
    for (long each = slot - 1; each >= first; each--) {
      ObjectMetadata object = metadata(each);
      WindowPart window = object.window();
      if (window != null && window.isEndedBefore(next)) {
        return Optional.of(object);
      }
      next = window;
    }
    return Optional.empty();
  }

  /** Returns the number after the last slot. */
  private long end(long first) {
    if (last != UNKNOWN) {
      return last + 1;
    }
    long there = first - 1;
    long missing = first;
    for (long step = 1; source.isThere(missing); step *= 2) {
      there = missing;
      missing += step;
    }
    while (missing - there > 1) {
      long middle = there + (missing - there) / 2;
      if (source.isThere(middle)) {
        there = middle;
      } else {
        missing = middle;
      }
    }
    return missing;
  }

  /**
   * Returns the first of these slots for which {@code isReached} is true; {@code end} if there is
   * none.
   */
  private long search(long first, long end, Predicate<ObjectMetadata> isReached) {
    long from = first;
    long reached = end;
    while (from < reached) {
      long middle = from + (reached - from) / 2;
      if (isReached.test(metadata(middle))) {
        reached = middle;
      } else {
        from = middle + 1;
      }
    }
    return reached;
  }

  private ObjectMetadata metadata(long slot) {
    return source.metadata(slot).orElseThrow(() -> source.missing(slot));
  }

  private Instant time(ObjectMetadata object) {
    Instant time = object.readAt();
    if (time == null) {
      throw unstated(object, "when its rows were read");
    }
    return time;
  }

  private boolean mayHave(ObjectMetadata object, long xid) {
    WindowPart window = object.window();
    if (window == null) {
      throw unstated(object, "its window");
    }
    return Long.compareUnsigned(xid, window.endsBefore()) < 0;
  }

  private LogReadException unstated(ObjectMetadata object, String what) {
    return new LogReadException(
        LogReadErrorKind.DAMAGED,
        "object %s in bucket %s does not say %s, as after a copy without metadata: name a slot instead"
            .formatted(layout.slotKey(object.slot()), layout.bucket(), what));
  }

  private long slotOf(LogMoment.TransactionBegin transaction, long first, long end) {
    long from = first;
    while (from < end) {
      DatabaseIdentity writer = metadata(from).database();
      long next = search(from, end, slot -> !Objects.equals(slot.database(), writer));
      long likely = search(from, next, slot -> mayHave(slot, transaction.xid()));
      Optional<Long> found = slotOf(transaction.xid(), likely, next);
      if (found.isPresent()) {
        return found.get();
      }
      from = next;
    }
    throw new LogReadException(
        LogReadErrorKind.NO_SUCH_ROW,
        "no row of the log of %s from slot %d on is of %s: it wrote none, or is recorded before, or not yet"
            .formatted(layout.recorder(), first, transaction));
  }

  private Optional<Long> slotOf(long xid, long from, long end) {
    if (from < end) {
      try (LogReader slots =
          LogReader.of(bucket, layout)
              .log(log)
              .from(ReaderPosition.of(from))
              .upTo(end - 1)
              .open()) {
        while (slots.hasNext()) {
          LogSlot slot = slots.next();
          if (hasRowOf(slot, xid)) {
            return Optional.of(slot.slot());
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean hasRowOf(LogSlot slot, long xid) {
    LineFields fields = new LineFields();
    for (LogRow row : slot) {
      row.read(fields);
      if (fields.xid() == xid) {
        return true;
      }
    }
    return false;
  }
}
