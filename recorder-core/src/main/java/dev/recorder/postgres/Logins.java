package dev.recorder.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.Ticker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Logins of this process as one role at one server. Those that are refused back off together,
 * whatever their sessions are for: a server may lock an account that fails often. A password that
 * was not refused yet is tried at once. Thread-safe.
 */
final class Logins {
  private static final Map<String, Logins> OF_ROLES = new ConcurrentHashMap<>();
  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final int FACTOR = 4;

  private final Ticker ticker;

  @GuardedBy("this")
  private @Nullable RefusedLogin refused;

  /**
   * The last refusal.
   *
   * @param at when the login was refused
   * @param pause until the next one is tried
   */
  private record RefusedLogin(
      SQLException why, @Nullable String password, long at, Duration pause, long again) {}

  Logins(Ticker ticker) {
    this.ticker = ticker;
  }

  static Logins of(DatabaseSettings settings) {
    return OF_ROLES.computeIfAbsent(settings.toString(), first -> new Logins(Ticker.system()));
  }

  /** All are tried again at once, and as often as at first: somebody may have put things right. */
  static void forgetRefusals() {
    OF_ROLES.clear();
  }

  /**
   * A login is about to be tried; gives when.
   *
   * @throws SQLException what the last one was refused with, if it is too early for another
   */
  synchronized long begin(@Nullable String password) throws SQLException {
    long now = ticker.nanos();
    RefusedLogin last = refused;
    if (last != null && Objects.equals(password, last.password())) {
      if (now - last.again() < 0) {
        throw new SQLException(last.why().getMessage(), last.why().getSQLState(), last.why());
      }
      // One of those that wait goes first.
      long again = now + last.pause().toNanos();
      refused = new RefusedLogin(last.why(), password, last.at(), last.pause(), again);
    }
    return now;
  }

  synchronized void granted() {
    refused = null;
  }

  /** A login that began then was refused. Of those that were under way together one counts. */
  synchronized void refused(long begun, @Nullable String password, SQLException why) {
    Duration pause = FIRST;
    RefusedLogin last = refused;
    if (last != null && Objects.equals(password, last.password())) {
      if (begun - last.at() < 0) {
        return;
      }
      Duration longer = last.pause().multipliedBy(FACTOR);
      pause = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }
    long now = ticker.nanos();
    refused = new RefusedLogin(why, password, now, pause, now + pause.toNanos());
  }
}
