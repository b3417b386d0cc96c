package dev.recorder.operate;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * That a recorder is paused.
 *
 * @param until when it goes on by itself, by the database's clock
 * @param reason why, on one line
 * @param by who paused it; null if nobody noted it
 * @param since when it was paused, before it was made longer; null if nobody noted it
 */
public record PausedRecorder(
    Instant until, String reason, @Nullable Operator by, @Nullable Instant since) {
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

  public PausedRecorder {
    reason = plain(reason);
  }

  /**
   * Somebody who had something done.
   *
   * @param osUser the user of the operating system, as they stated it
   * @param dbUser the role of their session, as the server saw it
   * @param client where that came from, as the server saw it; {@code local} for a socket
   */
  public record Operator(String osUser, String dbUser, String client) {
    public Operator {
      osUser = plain(osUser);
      dbUser = plain(dbUser);
      client = plain(client);
    }

    @Override
    public String toString() {
      return "%s (database user %s, from %s)".formatted(osUser, dbUser, client);
    }
  }

  /** As in {@code paused by WHOM until WHEN: REASON}. */
  @Override
  public String toString() {
    return "paused by %s until %s: %s"
        .formatted(by == null ? "somebody" : by, until.truncatedTo(ChronoUnit.SECONDS), reason);
  }

  /** What others wrote must not begin a line of its own. */
  static String plain(String text) {
    return UNPRINTABLE.matcher(text).replaceAll("?");
  }
}
