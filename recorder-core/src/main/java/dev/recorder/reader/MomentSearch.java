package dev.recorder.reader;

import dev.recorder.handoff.LineFields;
import dev.recorder.reader.LogReadException.LogReadErrorKind;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.WindowPart;
import dev.recorder.store.ObjectStore;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Finds where a moment is in a log, from the metadata of its objects: with HEADs whose number grows
 * with the logarithm of the slots. For a transaction it also reads the slots from the first that
 * may have a row of it, and all slots if none of these has one, as numbers of transactions begin
 * anew on another server.
 *
 * <p>A database's clock that was set back leaves slots in whose order times are not. Then one of
 * the places is found at which the time passes the given one.
 *
 * <p>For one thread. The store stays the caller's.
 */
public final class MomentSearch {
  private final ObjectStore bucket;
  private final LogLayout layout;
  private final UUID log;
  private final SlotSource source;

  public MomentSearch(ObjectStore bucket, LogLayout layout, UUID log) {
    this.bucket = bucket;
    this.layout = layout;
    this.log = log;
    this.source = new SlotSource(bucket, layout, log);
  }

  /** Whether the log has this slot, and it has not expired. */
  public boolean isThere(long slot) {
    return slot > 0 && source.isThere(slot);
  }

  /**
   * The first slot that is not before a moment; one behind the log's last slot if all are.
   *
   * @param first the log's first slot, or one that is before the moment
   * @throws LogReadException if the store does not answer, an object does not say when its rows
   *     were read, or no slot has a row of the transaction
   */
  public long firstNotBefore(LogMoment moment, long first) {
    if (moment instanceof LogMoment.TimeOfDatabase time) {
      return search(first, slot -> !time(slot).isBefore(time.time()));
    }
    if (moment instanceof LogMoment.TransactionBegin transaction) {
      long likely = search(first, slot -> mayHave(slot, transaction.xid()));
      return slotOf(transaction, likely)
          .or(() -> slotOf(transaction, first))
          .orElseThrow(() -> noRowOf(transaction));
    }
    long named = ((LogMoment.SlotBegin) moment).slot();
    return named < first ? named : search(first, slot -> slot.slot() >= named);
  }

  /**
   * The last object of the last window that ended before a slot.
   *
   * @param first the log's first slot
   */
  public Optional<ObjectMetadata> lastWindowBefore(long slot, long first) {
    WindowPart next = source.metadata(slot).map(ObjectMetadata::window).orElse(null);
    for (long each = slot - 1; each >= first; each--) {
      ObjectMetadata object = source.metadata(each).orElse(null);
      WindowPart window = object == null ? null : object.window();
      if (object != null && window != null && window.isEndedBefore(next)) {
        return Optional.of(object);
      }
      next = window;
    }
    return Optional.empty();
  }

  /** Galloping search: the first slot for which {@code isReached}, or that is not there. */
  private long search(long first, Predicate<ObjectMetadata> isReached) {
    long before = first - 1;
    long reached = first;
    for (long step = 1; !isReached(reached, isReached); step *= 2) {
      before = reached;
      reached += step;
    }
    while (reached - before > 1) {
      long middle = before + (reached - before) / 2;
      if (isReached(middle, isReached)) {
        reached = middle;
      } else {
        before = middle;
      }
    }
    return reached;
  }

  private boolean isReached(long slot, Predicate<ObjectMetadata> isReached) {
    return source.metadata(slot).map(isReached::test).orElse(true);
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

  private Optional<Long> slotOf(LogMoment.TransactionBegin transaction, long from) {
    try (LogReader slots =
        LogReader.of(bucket, layout).log(log).from(ReaderPosition.of(from)).open()) {
      while (slots.hasNext()) {
        LogSlot slot = slots.next();
        if (hasRowOf(slot, transaction.xid())) {
          return Optional.of(slot.slot());
        }
      }
    }
    return Optional.empty();
  }

  private LogReadException noRowOf(LogMoment.TransactionBegin transaction) {
    return new LogReadException(
        LogReadErrorKind.NO_SUCH_ROW,
        "no row of the log of %s is of %s, so far: it wrote none, or is not recorded yet"
            .formatted(layout.recorder(), transaction));
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
