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
 * The logins of this process as one role at one server. Refused logins of all its sessions back off
 * together, because a server may lock an account after many failures. A password that was not
 * refused yet is tried at once. Thread-safe.
 */
final class LoginBackoff {
  private static final Map<String, LoginBackoff> OF_ROLES = new ConcurrentHashMap<>();
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
   * @param pause before the next attempt
   */
  private record RefusedLogin(
      SQLException why, @Nullable String password, long at, Duration pause, long again) {}

  LoginBackoff(Ticker ticker) {
    this.ticker = ticker;
  }

  static LoginBackoff of(DatabaseSettings settings) {
    return OF_ROLES.computeIfAbsent(
        settings.toString(), first -> new LoginBackoff(Ticker.system()));
  }

  /**
   * Allows all logins again at once, with the shortest pause: an administrator may have corrected
   * the cause.
   */
  static void forgetRefusals() {
    OF_ROLES.clear();
  }

  /**
   * Notes that a login begins, and returns the time.
   *
   * @throws SQLException the last refusal, if it is too early for another attempt
   */
  synchronized long begin(@Nullable String password) throws SQLException {
    long now = ticker.nanos();
    RefusedLogin last = refused;
    if (last != null && Objects.equals(password, last.password())) {
      if (now - last.again() < 0) {
        throw new SQLException(last.why().getMessage(), last.why().getSQLState(), last.why());
      }
      // Only one of the waiting sessions tries.
      long again = now + last.pause().toNanos();
      refused = new RefusedLogin(last.why(), password, last.at(), last.pause(), again);
    }
    return now;
  }

  synchronized void granted() {
    refused = null;
  }

  /**
   * Notes that the login which began at {@code begun} was refused. Of several concurrent logins
   * only one counts.
   */
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
