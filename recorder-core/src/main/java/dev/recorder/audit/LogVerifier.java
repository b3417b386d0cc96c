package dev.recorder.audit;

import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.audit.objects.SlotObjects;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proves one log: its objects exist, are the written ones, follow one another without a gap, and
 * hold each row of the hand-off table once and in order, as far as the table still has the rows.
 *
 * <p>It reads neither side in the way of the writer: the table is read as it is stored, the log
 * from its objects. Both are summed, place by place. Where sums differ, a second look goes row by
 * row. Many such rows are compared in parts, each with another scan of both sides.
 *
 * <p>It first reads how far the log is settled and examines nothing beyond, so it may run while a
 * recorder writes. It holds in memory one slot, a bit per id, sums of at most 40 MB, and a bounded
 * number of doubtful rows.
 */
public final class LogVerifier {
  private final ObjectStore bucket;
  private final LogLayout layout;
  private final LogRecords records;
  private final HandoffRows handoff;
  private final ReadingRoom room;
  private int mostRows = DoubtfulPlaces.MOST_ROWS;

  /**
   * Creates a verifier.
   *
   * @param handoff called only by the reader that is given to {@code verify}
   */
  public LogVerifier(
      ObjectStore bucket, LogLayout layout, LogRecords records, HandoffRows handoff) {
    this(bucket, layout, records, handoff, ReadingRoom.UNLIMITED);
  }

  /**
   * Creates a verifier for a process that also does other work.
   *
   * @param room memory for objects, and for data that is kept of them; without room the
   *     verification ends unfinished
   */
  public LogVerifier(
      ObjectStore bucket,
      LogLayout layout,
      LogRecords records,
      HandoffRows handoff,
      ReadingRoom room) {
    this.room = room;
    this.bucket = bucket;
    this.layout = layout;
    this.records = records;
    this.handoff = handoff;
  }

  /** Sets about how many rows and lines are compared one by one at a time. */
  LogVerifier inBatchesOf(int rows) {
    mostRows = rows;
    return this;
  }

  /**
   * As {@link #verify(long, SecondReader, Progress)}, on this thread alone and without reports of
   * progress.
   */
  public AuditResult verify(long from) throws UnreadableSlotException {
    return verify(from, SecondReader.NOBODY, Progress.NONE);
  }

  /**
   * Verifies from slot {@code from}, or from the log's first slot if that is higher, to the last
   * settled one.
   *
   * @param beside reads the hand-off table
   * @throws UnreadableSlotException if the store does not answer; then nothing is proved
   * @throws UnfinishedException if there is no room, or {@code progress} throws it
   */
  public AuditResult verify(long from, SecondReader beside, Progress progress)
      throws UnreadableSlotException {
    Run run = new Run(records.settled(), from, progress);
    try {
      return run.verify(beside);
    } finally {
      run.objects.leaveRoom();
    }
  }

  /** One verification. */
  private final class Run {
    private final SlotObjects objects = new SlotObjects(bucket, layout, room);
    private final Tally tally = new Tally();
    private final LogGaps holes = new LogGaps(tally);
    private final SettledLog settled;
    private final long first;
    private final long last;
    private final LogSide log;
    private final HandoffSide kept;
    private final Progress progress;

    Run(SettledLog settled, long from, Progress progress) throws UnreadableSlotException {
      this.progress = progress;
      this.settled = settled;
      this.first = Math.max(from, settled.head().firstSlot());
      this.last = settled.head().lastSlot();
      this.log =
          new LogSide(records, objects, settled, new LogSide.FirstSlot(first, before()), holes);
      this.kept =
          new HandoffSide(
              new DueRows(settled, first, earliestBeginning()), settled.cleared(), progress);
    }

    /**
     * Returns the chain of the slots before the first one: from the database for the floor, else
     * from the last of those slots' objects, if it still exists.
     */
    private @Nullable LogChain before() throws UnreadableSlotException {
      if (first == 1) {
        return LogChain.of(settled.log());
      } else if (first == settled.head().firstSlot() && settled.floorChain() != null) {
        return settled.floorChain();
      }
      LogChain before = new SlotReader(bucket, layout).chain(settled.log(), first - 1).orElse(null);
      if (before == null && first <= last) {
        tally.note(
            """
            slot %d has nothing to follow, as slot %d is not there: that it is what was settled is \
            proved only as far as later slots follow it\
            """
                .formatted(first, first - 1));
      }
      return before;
    }

    /**
     * Returns a position that is not after the true beginning; the second look sorts out surplus
     * rows.
     */
    private Position earliestBeginning() {
      List<SlotPlan> plans = first > settled.rebasedSlot() + 1 ? records.plans(first) : List.of();
      if (plans.size() == 1) {
        SlotPlan plan = plans.get(0);
        Window window = plan.window();
        if (window != null) {
          return SlotWindows.firstBegin(plan, window);
        }
      }
      return Position.START;
    }

    AuditResult verify(SecondReader beside) throws UnreadableSlotException {
      SecondReader.SideReading reading = beside.begin(() -> handoff.scan(kept));
      for (long slot = first; slot <= last; slot++) {
        reading.check();
        log.examine(slot);
        progress.slots(slot - first + 1, last - first + 1, tally.rows);
      }
      log.finish();
      objects.makeRoom(log.bytes(), 0);
      reading.end();
      DoubtfulPlaces doubtful = new DoubtfulPlaces(log, kept, mostRows);
      RowByRowCheck second = new RowByRowCheck(records, log, doubtful, holes);
      while (second.next()) {
        look(second, log.bytes() + doubtful.bytes());
      }
      second.end();
      tally.compared = second.found();
      holes.judge();
      if (records.isWhole()) {
        noteWhatIsInFlight();
      }
      noteWhatIsRebased();
      return tally.verdict(layout.recorder().value());
    }

    private void look(RowByRowCheck second, long kept) throws UnreadableSlotException {
      objects.makeRoom(kept, 0);
      handoff.scan(second);
      second.beginLines();
      for (long slot = first; slot <= last && second.wantsLines(); slot++) {
        long number = slot;
        log.again(slot, kept)
            .ifPresent(object -> object.lines().forEach(line -> second.line(number, line)));
        progress.slots(slot - first + 1, last - first + 1, tally.rows);
      }
      second.judge();
    }

    private void noteWhatIsRebased() {
      long rebased = settled.rebasedSlot();
      if (first <= rebased) {
        tally.note(
            """
            slots up to %s were numbered by another server, before the rebase: each is there, \
            unchanged, and no row stands in two, but they were not compared with the hand-off\
            """
                .formatted(rebased));
      }
    }

    private String writer(ObjectMetadata object) {
      DatabaseIdentity database = object.database();
      return database != null && settled.isOfAnother(object)
          ? object.writer() + ", from another database, " + database.name() + ","
          : object.writer();
    }

    private void noteWhatIsInFlight() {
      ObjectStore.HeadAnswer next = bucket.head(layout.slotKey(last + 1));
      if (next instanceof ObjectStore.Present present) {
        String writer =
            ObjectMetadata.from(present.metadata()).map(this::writer).orElse("an unknown writer");
        tally.note("slot " + (last + 1) + " by " + writer + " was in flight, not settled yet");
      }
    }
  }
}
