package dev.recorder.reader;

import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a {@link LogReader} reads, and how. Not thread-safe. */
public final class LogReaderBuilder {
  private final ObjectStore bucket;
  private final LogLayout layout;
  private @Nullable UUID log;
  private ReaderPosition from = ReaderPosition.START;
  private long last = Long.MAX_VALUE;
  private @Nullable Duration pollEvery;
  private Duration lookAroundEvery = Duration.ofSeconds(30);
  private Duration patience = Duration.ofMinutes(10);
  private ReaderSettings.Ahead ahead = new ReaderSettings.Ahead(4, 32 << 20);
  private LogBounds bounds = LogBounds.UNKNOWN;
  private Consumer<String> onTrouble = news -> {};

  LogReaderBuilder(ObjectStore bucket, LogLayout layout) {
    this.bucket = bucket;
    this.layout = layout;
  }

  /** The log's UUID, as the database has it. Otherwise that which the bucket names. */
  public LogReaderBuilder log(UUID given) {
    log = given;
    return this;
  }

  /**
   * Asks the bucket whose log it holds.
   *
   * @throws LogReadException if it has none of this recorder, or gives no answer
   */
  public UUID identity() {
    return new SlotSource(bucket, layout, null).named();
  }

  /** Begins there. Otherwise with the first row of slot 1. */
  public LogReaderBuilder from(ReaderPosition given) {
    from = given;
    return this;
  }

  /**
   * Ends behind this slot, and takes it for a gap if one up to it is not there. Otherwise ends
   * behind the last that is there. Without effect on a reader that follows.
   *
   * @param slot 0 to read nothing
   */
  public LogReaderBuilder upTo(long slot) {
    last = slot;
    return this;
  }

  /**
   * Goes on at the log's end: asks the store for the next slot so often. Otherwise ends there.
   *
   * <p>Each question is a GET that is answered with 404. Every 30 s without a new slot it looks
   * around: whether the bucket still holds this log, and whether the next slot is missing rather
   * than not written yet.
   *
   * @param every longer than nothing
   */
  public LogReaderBuilder follow(Duration every) {
    if (every.isZero() || every.isNegative()) {
      throw new IllegalArgumentException("the time between two polls is " + every);
    }
    pollEvery = every;
    return this;
  }

  /**
   * How much it may hold beyond what it has given out. Otherwise 4 slots, of 32 MiB in all.
   *
   * @param slots at least 1
   * @param bytes of rows, unpacked; what is being unpacked takes its size twice. One slot is asked
   *     for whatever its size, and how large one is shows only when it is there: until then it is
   *     taken to be as large as the largest so far.
   */
  public LogReaderBuilder ahead(int slots, long bytes) {
    if (slots < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "slots and bytes must be positive: " + slots + ", " + bytes);
    }
    ahead = new ReaderSettings.Ahead(slots, bytes);
    return this;
  }

  /**
   * For how long a reader that follows tries again while the store gives no answer: after the time
   * between two polls, then twice that, up to 30 s. Otherwise 10 min. One that does not follow
   * fails at once.
   */
  public LogReaderBuilder patience(Duration given) {
    patience = given;
    return this;
  }

  /** What the database knows of the log's ends. Otherwise the bucket has to do. */
  public LogReaderBuilder bounds(LogBounds given) {
    bounds = given;
    return this;
  }

  /**
   * Told in one sentence, on the thread that reads, when the store gives no answer, and again when
   * it does; and of a slot that does not follow the one before it. Otherwise nobody is.
   */
  public LogReaderBuilder onTrouble(Consumer<String> given) {
    onTrouble = given;
    return this;
  }

  /** For tests, which do not wait. */
  LogReaderBuilder lookAroundEvery(Duration given) {
    lookAroundEvery = given;
    return this;
  }

  /**
   * Makes the reader, which has not asked the store for anything yet.
   *
   * @throws IllegalStateException if this process cannot unpack the log's objects; the message says
   *     what is missing
   */
  public LogReader open() {
    String obstacle = layout.compression().obstacle();
    if (!obstacle.isEmpty()) {
      throw new IllegalStateException(obstacle);
    }
    ReaderSettings.FollowPace pace =
        pollEvery == null
            ? null
            : new ReaderSettings.FollowPace(pollEvery, lookAroundEvery, patience);
    long end = pace == null ? last : Long.MAX_VALUE;
    return new LogReader(
        new ReaderSettings(bucket, layout, log, from, end, pace, ahead, bounds, onTrouble),
        Ticker.system());
  }
}
