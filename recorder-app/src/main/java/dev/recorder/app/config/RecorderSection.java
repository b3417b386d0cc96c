package dev.recorder.app.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One recorder as this machine runs it.
 *
 * @param name its topic; names its hand-off table and its folder in S3
 * @param lockId its advisory lock, unique among recorders
 * @param leading with requests without meaning, as are most of {@code feed} and {@code batching}
 * @param history how long recorded rows and settled requests are kept in the hand-off table
 * @param verifyEvery how long after one verification of a log the next is due; null if nobody
 *     verifies it on a schedule
 * @param requests with a log without meaning
 * @param s3 already merged with {@code [s3]}
 * @param logLevel null if it is that of the process
 */
public record RecorderSection(
    String name,
    int lockId,
    RecorderKindWord kind,
    Leading leading,
    Feed feed,
    Batching batching,
    History history,
    @Nullable Duration verifyEvery,
    RequestWork requests,
    S3Config s3,
    @Nullable LogLevelWord logLevel) {

  public static final String SECTION = "recorder:";
  static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,39}");

  /** Guards creating tables and registering, and so is nobody's own. */
  static final int RESERVED_LOCK_ID = 999;

  static final Setting<Integer> LOCKID =
      new Setting<>("lockid", Integer.class, null, new LockId())
          .otherwise("required")
          .takes("`1` to `998`")
          .means("A different one for each recorder, the same on all hosts; 999 is reserved.");
  static final Setting<RecorderKindWord> KIND =
      Setting.word("kind", RecorderKindWord.LOG)
          .means(
              "`log`: rows in order, by one host at a time. `requests`: [units of"
                  + " work](requests.md), by all hosts at once.");
  static final Setting<History> HISTORY =
      new Setting<>(
              "history",
              History.class,
              null,
              new History.HistoryLimits(Duration.ofMinutes(1), Duration.ofDays(3650)))
          .otherwise("`7d`; of requests `forever`")
          .takes("`0`, `1m` to `3650d`, `forever`")
          .means(
              "Recorded rows, or settled requests, are [deleted from the"
                  + " table](operating.md#clearing) after this time; rows only once each was"
                  + " found in S3. Not `0` for requests. The same on all hosts.");
  static final Setting<ByteSize> HISTORY_BLOCK =
      Setting.size("history_block", History.DEFAULT_BLOCK.toString(), "1MiB", "64GiB")
          .means(
              "Logs only, with `history` under 10 minutes. Bytes of rows, with indexes,"
                  + " that leave the table together; it holds two or three times that. Smaller"
                  + " blocks [use up more ids](operating.md#clearing). The same on all hosts.");

  static final Setting<LogLevelWord> LOG_LEVEL =
      new Setting<>(
              "log_level",
              LogLevelWord.class,
              null,
              new Rule.Any<>("one of error, warn, info, debug"))
          .otherwise("`[log] level`")
          .takes("`error`, `warn`, `info`, `debug`")
          .means(
              "Lowest level of [lines of this recorder](logs.md#levels) on this host."
                  + " `debug` logs each step of its work.");

  static final Setting<Duration> VERIFY_EVERY =
      Setting.durationIfAny("verify_every", "1d", "1m", "30d")
          .otherwise("not at all")
          .means(
              "Logs only. Time from the end of one"
                  + " [verification](operating.md#verifying-on-a-schedule) to the next, which"
                  + " covers the slots since. The same on all hosts.");

  /** Of a log whose file does not say. */
  static final History OF_LOGS = new History(Duration.ofDays(7));

  public RecorderSection {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(name + " is not a recorder name");
    }
    LOCKID.require(lockId);
    if (kind == RecorderKindWord.REQUESTS && leading.primary()) {
      throw new IllegalArgumentException("a recorder of requests has no primary");
    }
    HISTORY.require(history);
    HISTORY_BLOCK.require(history.block());
    if (verifyEvery != null) {
      VERIFY_EVERY.require(verifyEvery);
    }
  }

  /** Whether this machine is the one preferred to be active. */
  public boolean primary() {
    return leading.primary();
  }

  /** The same recorder with another preference; requests have none. */
  RecorderSection preferring(Leading wanted) {
    if (kind == RecorderKindWord.REQUESTS) {
      return this;
    }
    Leading other = leading.preferring(wanted);
    return new RecorderSection(
        name, lockId, kind, other, feed, batching, history, verifyEvery, requests, s3, logLevel);
  }

  /** The same recorder with other captures. */
  RecorderSection capturing(List<CaptureSection> captures) {
    Feed other = feed.capturing(captures);
    return new RecorderSection(
        name, lockId, kind, leading, other, batching, history, verifyEvery, requests, s3, logLevel);
  }

  /** The same recorder with lines from this level on. */
  RecorderSection toldFrom(@Nullable LogLevelWord level) {
    return new RecorderSection(
        name, lockId, kind, leading, feed, batching, history, verifyEvery, requests, s3, level);
  }

  private record LockId() implements Rule<Integer> {
    @Override
    public @Nullable String fault(Integer value) {
      if (value == RESERVED_LOCK_ID) {
        return "is reserved for creating tables and registering";
      }
      return value >= 1 && value < RESERVED_LOCK_ID ? null : "is out of range";
    }

    @Override
    public String allowed() {
      return "a whole number from 1 to 998 that no other recorder has";
    }
  }
}
