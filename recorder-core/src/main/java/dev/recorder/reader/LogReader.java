package dev.recorder.reader;

import dev.recorder.reader.LogBounds.Bounds;
import dev.recorder.reader.ReaderSettings.FollowPace;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the slots of a log, in order and without a gap. Each slot is checked before it is
 * returned: its log, its number, and its content by the stored hash. Fetches some slots ahead,
 * within limits ({@link LogReaderBuilder#ahead}).
 *
 * <p>Ends after the last existing slot, or never, if it {@linkplain LogReaderBuilder#follow
 * follows} the log. An existing slot is final even before it is settled in the database: its key is
 * written once, and a later term adopts the existing object.
 *
 * <p>{@link #hasNext} waits for the store. After a {@link LogReadException} it may be called again,
 * and continues with the slot at which it failed. For one thread, which may be interrupted; any
 * thread may {@link #close} it, and {@code hasNext} then soon returns false. Owns a few daemon
 * threads until it is closed. The caller closes the bucket.
 */
public final class LogReader implements Iterator<LogSlot>, AutoCloseable {
  private final ReaderSettings given;
  private final @Nullable FollowPace pace;
  private final Ticker ticker;
  private final SlotSource source;
  private final ReadAhead lookahead;
  private final ReadRequests questions;
  private final @Nullable ReaderBackoff retries;

  /** The requested slots. The next one is first. */
  private final Deque<RequestedSlot> line = new ArrayDeque<>();

  private @Nullable LogSlot ready;

  /** The chain of the slot that was read last. */
  private @Nullable LogChain before;

  private boolean identified;
  private boolean finished;
  private long lookedAround;

  private record RequestedSlot(long slot, ReadRequests.PendingRead<Optional<LogSlot>> answer) {
    long bytes() {
      return answer.known().flatMap(slot -> slot).map(LogSlot::bytes).orElse(0);
    }
  }

  LogReader(ReaderSettings given, Ticker ticker) {
    this.given = given;
    this.pace = given.pace();
    this.ticker = ticker;
    this.source = new SlotSource(given.bucket(), given.layout(), given.log());
    this.lookahead = new ReadAhead(given.ahead(), given.from().slot(), given.last());
    this.retries = pace == null ? null : new ReaderBackoff(pace.pollEvery(), pace.patience());
    // One thread more than the most requested slots, for other objects.
    this.questions = new ReadRequests(given.ahead().slots() + 1);
    this.identified = given.log() != null && pace == null;
  }

  /**
   * Configures a reader of the log in the bucket, by default from its first slot on.
   *
   * @param bucket stays open; several threads use it
   */
  public static LogReaderBuilder of(ObjectStore bucket, LogLayout layout) {
    return new LogReaderBuilder(bucket, layout);
  }

  /**
   * Returns whether there is another slot. A reader that follows waits until the slot is written.
   *
   * @throws LogReadException if the log cannot be read further
   */
  @Override
  public boolean hasNext() {
    while (ready == null && !finished && !questions.isClosed()) {
      try {
        advance();
      } catch (LogReadException e) {
        failed(e);
      }
    }
    return ready != null && !questions.isClosed();
  }

  @Override
  public LogSlot next() {
    LogSlot slot = hasNext() ? ready : null;
    if (slot == null) {
      throw new NoSuchElementException("the log's end");
    }
    ready = null;
    return slot;
  }

  /** Ends the reader. May be called on any thread, and more than once. */
  @Override
  public void close() {
    questions.close();
  }

  /** Takes one step: identifies the log, or requests slots and waits for the first of them. */
  private void advance() {
    if (!identified) {
      identified = questions.ask(source::identify, false).await();
      lookedAround = ticker.nanos();
      return;
    }
    askAhead();
    RequestedSlot first = line.peek();
    if (first == null) {
      finished = true;
      return;
    }
    Optional<LogSlot> slot = first.answer().await();
    if (questions.isClosed()) {
      return;
    } else if (slot.isPresent()) {
      take(slot.get());
      line.remove();
    } else {
      forget(first.slot());
      atTheEnd(first.slot());
    }
    succeeded();
  }

  private void askAhead() {
    while (lookahead.mayAsk(
        line.size(),
        (int) line.stream().filter(asked -> asked.answer().known().isEmpty()).count(),
        line.stream().mapToLong(RequestedSlot::bytes).sum())) {
      long slot = lookahead.ask();
      line.add(new RequestedSlot(slot, questions.ask(() -> source.get(slot), Optional.empty())));
    }
  }

  private void take(LogSlot slot) {
    ReaderPosition from = given.from();
    boolean within = slot.slot() == from.slot() && from.row() > 1;
    if (within && from.row() > slot.rowsInSlot() + 1) {
      throw source.noSuchRow(from, slot.rowsInSlot());
    }
    lookahead.arrived(slot.bytes());
    LogChain chain = before;
    if (chain != null && !slot.follows(chain)) {
      given.onTrouble().accept(source.broken(slot.slot())); // Only reported: it was written so.
    }
    before = slot.chain().orElse(null);
    if (!within) {
      ready = slot;
    } else if (from.row() <= slot.rowsInSlot()) {
      ready = slot.from(from.row());
    }
  }

  /** Handles a {@code slot} that does not exist. */
  private void atTheEnd(long slot) {
    if (given.last() != Long.MAX_VALUE) {
      throw source.missing(slot);
    }
    if (pace == null || ticker.nanos() - lookedAround >= pace.lookAroundEvery().toNanos()) {
      boolean goesOn = questions.ask(() -> isThereAfterAll(slot), true).await();
      lookedAround = ticker.nanos();
      if (goesOn) {
        return;
      }
    }
    if (pace == null) {
      finished = true;
    } else {
      questions.pause(pace.pollEvery());
    }
  }

  /**
   * Returns whether {@code slot}, which did not exist, exists by now. Throws if {@code slot} is
   * missing although a later slot exists or the database has it as settled. A slot is written only
   * after the one before it is settled, so the missing slot was deleted.
   */
  private boolean isThereAfterAll(long slot) {
    if (pace != null) {
      source.identify();
    }
    Optional<Bounds> bounds = given.bounds().look();
    boolean passed = bounds.filter(known -> known.last() >= slot).isPresent();
    if (!passed && !source.isThere(slot + 1)) {
      return false;
    }
    if (source.get(slot).isPresent()) {
      return true;
    }
    long first = bounds.map(Bounds::first).orElse(0L);
    throw first > slot ? source.expired(slot, first) : source.missing(slot);
  }

  private void forget(long fromSlot) {
    line.clear();
    lookahead.backTo(fromSlot);
  }

  private void succeeded() {
    if (retries != null && retries.hasFailed()) {
      retries.succeeded();
      given.onTrouble().accept("bucket " + given.layout().bucket() + " answers again");
    }
  }

  private void failed(LogReadException failure) {
    RequestedSlot first = line.peek();
    if (first != null) {
      forget(first.slot());
    }
    if (retries == null || !failure.isTemporary()) {
      throw failure;
    }
    boolean news = !retries.hasFailed();
    Duration wait = retries.failed(ticker.nanos()).orElseThrow(() -> failure);
    if (news) {
      given.onTrouble().accept(failure.getMessage() + "; retrying");
    }
    questions.pause(wait);
  }
}
