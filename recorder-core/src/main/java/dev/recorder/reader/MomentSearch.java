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
 * Finds where a moment is in a log, from the metadata of its objects: with HEADs whose number grows
 * with the logarithm of the slots. For a transaction it does so for each database, and timeline of
 * it, that wrote the log, as numbers of transactions begin anew on another; and it reads the slots
 * of each from the first that may have a row of it.
 *
 * <p>A database's clock that was set back leaves slots in whose order times are not. Then one of
 * the places is found at which the time passes the given one.
 *
 * <p>For one thread. The store stays the caller's.
 */
public final class MomentSearch {
  /** The bucket alone says where the log ends: a missing object looks like its end. */
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

  /** A search for whoever has nothing but the bucket. */
  public static MomentSearch of(ObjectStore bucket, LogLayout layout, UUID log) {
    return new MomentSearch(bucket, layout, log, UNKNOWN);
  }

  /**
   * A search in the slots that are settled: a missing object is a fault, and not the log's end.
   *
   * @param last the last settled slot
   */
  public static MomentSearch upTo(long last, ObjectStore bucket, LogLayout layout, UUID log) {
    return new MomentSearch(bucket, layout, log, last);
  }

  /** Whether the log has this slot, and it has not expired. */
  public boolean isThere(long slot) {
    return slot > 0 && source.isThere(slot);
  }

  /**
   * The first slot that is not before a moment; one behind the log's last slot if all are.
   *
   * @param first the log's first slot, or one that is before the moment
   * @throws LogReadException if the store does not answer, an object that is asked for is missing
   *     or does not say when its rows were read, or no slot has a row of the transaction
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
   * The last object of the last window that ended before a slot.
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

  /** The slot behind the last one. */
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

  /** The first slot of these for which {@code isReached}; {@code end} if it is for none. */
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
