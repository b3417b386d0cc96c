package dev.recorder.reader;

import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Configures a {@link LogReader}. Not thread-safe. */
public final class LogReaderBuilder {
  private final ObjectStore bucket;
  private final LogLayout layout;
  private @Nullable UUID log;
  private ReaderPosition from = ReaderPosition.START;
  private long last = Long.MAX_VALUE;
  private @Nullable Duration pollEvery;
  private Duration lookAroundEvery = Duration.ofSeconds(30);
  private Duration patience = Duration.ofMinutes(10);
  private ReaderSettings.ReadAheadLimits ahead = new ReaderSettings.ReadAheadLimits(4, 32 << 20);
  private LogBounds bounds = LogBounds.UNKNOWN;
  private Consumer<String> onTrouble = news -> {};

  LogReaderBuilder(ObjectStore bucket, LogLayout layout) {
    this.bucket = bucket;
    this.layout = layout;
  }

  /** Sets the log's UUID in the database. Default: the UUID in the bucket. */
  public LogReaderBuilder log(UUID given) {
    log = given;
    return this;
  }

  /**
   * Reads the log's UUID from the bucket.
   *
   * @throws LogReadException if the bucket has no UUID of this recorder, or does not answer
   */
  public UUID identity() {
    return new SlotSource(bucket, layout, null).named();
  }

  /** Begins at this position. Default: the first row of slot 1. */
  public LogReaderBuilder from(ReaderPosition given) {
    from = given;
    return this;
  }

  /**
   * Ends after this slot. A missing slot before the end is an error. Default: ends after the last
   * existing slot. Ignored by a reader that follows.
   *
   * @param slot 0 to read nothing
   */
  public LogReaderBuilder upTo(long slot) {
    last = slot;
    return this;
  }

  /**
   * Follows the log: at its end, requests the next slot at this interval. Default: the reader ends
   * there.
   *
   * <p>Each request at the end is a GET that the store answers with 404. Every 30 s without a new
   * slot the reader also checks whether the bucket still holds this log, and whether the next slot
   * is missing rather than not written yet.
   *
   * @param every positive
   */
  public LogReaderBuilder follow(Duration every) {
    if (every.isZero() || every.isNegative()) {
      throw new IllegalArgumentException("the time between two polls is " + every);
    }
    pollEvery = every;
    return this;
  }

  /**
   * Limits the slots that the reader holds in addition to the returned slot. Default: 4 slots, 32
   * MiB in all.
   *
   * @param slots at least 1
   * @param bytes most uncompressed bytes of rows. One slot is always requested, whatever its size.
   *     A slot takes twice its size while it is decompressed. The size of a slot is known only when
   *     it has arrived; until then it counts as the largest size so far.
   */
  public LogReaderBuilder ahead(int slots, long bytes) {
    if (slots < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "slots and bytes must be positive: " + slots + ", " + bytes);
    }
    ahead = new ReaderSettings.ReadAheadLimits(slots, bytes);
    return this;
  }

  /**
   * Sets how long a reader that follows retries while the store does not answer. The first pause is
   * the poll interval, and each further pause is twice the previous one, up to 30 s. Default: 10
   * min. A reader that does not follow fails at once.
   */
  public LogReaderBuilder patience(Duration given) {
    patience = given;
    return this;
  }

  /** Sets the source of the log's bounds in the database. Default: only the bucket is used. */
  public LogReaderBuilder bounds(LogBounds given) {
    bounds = given;
    return this;
  }

  /**
   * Sets the receiver of troubles. It gets one sentence, on the reading thread, when the store
   * stops answering, when it answers again, and when a slot's chain does not follow the slot
   * before. Default: none.
   */
  public LogReaderBuilder onTrouble(Consumer<String> given) {
    onTrouble = given;
    return this;
  }

  /** For tests. */
  LogReaderBuilder lookAroundEvery(Duration given) {
    lookAroundEvery = given;
    return this;
  }

  /**
   * Makes the reader. Does not access the store yet.
   *
   * @throws IllegalStateException if this process cannot decompress the log's objects; the message
   *     has the remedy
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
