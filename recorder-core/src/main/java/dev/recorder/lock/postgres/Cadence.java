package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/**
 * How often a time-out lock can be taken: once per interval, or once per unit of a calendar. The
 * server's clock decides.
 */
public sealed interface Cadence permits Cadence.IntervalCadence, CalendarCadence {
  /**
   * Once per interval since the last grant, less a {@linkplain TimeoutLocks#slack slack}.
   *
   * @param interval from a millisecond to ten years; fractions of a millisecond are dropped
   */
  static Cadence every(Duration interval) {
    return new IntervalCadence(TimeoutLocks.checked(interval));
  }

  /**
   * Once in each hour, day, week or month, at any time in it; see {@link CalendarUnit}.
   *
   * @param zone a name of the time zone database, such as {@code Europe/Berlin} or {@code UTC}
   */
  static Cadence each(CalendarUnit unit, ZoneId zone) {
    return new CalendarCadence(unit, CalendarCadence.checked(zone));
  }

  /**
   * Whether a grant at {@code had} was for the same turn as a request at {@code now}, and not for
   * an earlier one. Hosts that start at about the same time share a turn.
   */
  boolean isOfOneTurn(Instant had, Instant now);

  /**
   * SQL pieces: {@code due} is the time at which a lock taken at {@code {now}} can be taken again.
   */
  Map<String, String> pieces();

  /** Sets the parameters of the pieces. */
  void bind(SqlStatement statement) throws SQLException;

  /** Once per interval. */
  record IntervalCadence(Duration interval) implements Cadence {
    /**
     * The fraction of an interval in which hosts share a turn; hosts may start some minutes apart.
     */
    private static final int ONE_TURN = 10;

    @Override
    public boolean isOfOneTurn(Instant had, Instant now) {
      return Duration.between(had, now).compareTo(interval.dividedBy(ONE_TURN)) <= 0;
    }

    @Override
    public Map<String, String> pieces() {
      return Map.of("due", "{now} + :length * interval '1 ms'");
    }

    @Override
    public void bind(SqlStatement statement) throws SQLException {
      statement.set("length", interval.minus(TimeoutLocks.slack(interval)).toMillis());
    }
  }
}
