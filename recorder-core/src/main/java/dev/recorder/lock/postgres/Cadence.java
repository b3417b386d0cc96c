package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/**
 * How often a lock with a time-out can be had: once in an interval, or once in each day, week or
 * month of a calendar. The server's clock decides.
 */
public sealed interface Cadence permits IntervalCadence, CalendarCadence {
  /**
   * Once in this time, less a {@linkplain TimeoutLocks#slack slack}, from when it was had last.
   *
   * @param interval from a millisecond to ten years; what is below a millisecond is cut off
   */
  static Cadence every(Duration interval) {
    return new IntervalCadence(TimeoutLocks.checked(interval));
  }

  /**
   * Once in each of a calendar, whenever in it; see {@link CalendarUnit}.
   *
   * @param zone a name of the time zone database, such as {@code Europe/Berlin} or {@code UTC}
   */
  static Cadence each(CalendarUnit unit, ZoneId zone) {
    return new CalendarCadence(unit, CalendarCadence.checked(zone));
  }

  /**
   * Whether who had the lock then has had the turn that who asks now has come for: not one of an
   * earlier day, nor one long before. All who start at about the same time then have had it.
   */
  boolean isOfOneTurn(Instant had, Instant now);

  /** SQL: {@code due}, when a lock that is had at {@code {now}} can be had again. */
  Map<String, String> pieces();

  /** Sets the parameters of that. */
  void bind(SqlStatement statement) throws SQLException;
}
