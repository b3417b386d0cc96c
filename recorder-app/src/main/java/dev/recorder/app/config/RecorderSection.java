package dev.recorder.app.config;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One recorder as this machine runs it.
 *
 * @param name its topic; names its hand-off table and its folder in S3
 * @param lockId its advisory lock, unique among recorders
 * @param leading with requests without meaning, as are most of {@code feed} and {@code batching}
 * @param history how long recorded rows and settled requests are kept in the hand-off table; null
 *     for ever
 * @param requests with a log without meaning
 * @param s3 already merged with {@code [s3]}
 */
public record RecorderSection(
    String name,
    int lockId,
    RecorderKindWord kind,
    Leading leading,
    Feed feed,
    Batching batching,
    @Nullable Duration history,
    RequestWork requests,
    S3Config s3) {

  static final String SECTION = "recorder:";
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
  static final Setting<Duration> HISTORY =
      Setting.durationIfAny("history", "7d", "1m", "3650d")
          .means(
              "With `kind = requests`: how long settled requests stay in the table. For a log it"
                  + " has no effect in this version, and there is a warning: recorded rows stay.");

  public RecorderSection {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(name + " is not a recorder name");
    }
    LOCKID.require(lockId);
    if (kind == RecorderKindWord.REQUESTS && leading.primary()) {
      throw new IllegalArgumentException("a recorder of requests has no primary");
    }
    if (history != null) {
      HISTORY.require(history);
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
    return new RecorderSection(
        name, lockId, kind, leading.preferring(wanted), feed, batching, history, requests, s3);
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
