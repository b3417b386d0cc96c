package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Map;

/** Once per unit of a calendar. */
record CalendarCadence(CalendarUnit unit, ZoneId zone) implements Cadence {
  private static final Duration EARLY = Duration.ofSeconds(150);

  /**
   * The beginning of the next unit in local time. If midnight occurs twice, because clocks are set
   * back, the first one counts; the server by itself takes the second.
   */
  private static final String NEXT_DATE =
      """
      (SELECT begins.at - interval '150 s' - CASE
          WHEN (begins.at - interval '1 hour') AT TIME ZONE :zone::text >= begins.local
          THEN interval '1 hour' ELSE interval '0' END
        FROM (SELECT next.local, next.local AT TIME ZONE :zone::text AS at FROM (
          SELECT date_trunc({unit}, ({now} + interval '150 s') AT TIME ZONE :zone::text)
            + {length} AS local) next) begins)\
      """;

  /** The next hour; also correct in hours in which clocks are set. */
  private static final String NEXT_HOUR =
      """
      (SELECT {now} + interval '1 hour' - (l.local - date_trunc('hour', l.local))
        FROM (SELECT ({now} + interval '150 s') AT TIME ZONE :zone::text AS local) l)\
      """;

  /**
   * Checks that the server understands the zone in the same way; it reads "UTC+2" with the opposite
   * sign.
   */
  static ZoneId checked(ZoneId zone) {
    if (!ZoneId.getAvailableZoneIds().contains(zone.getId())) {
      throw new IllegalArgumentException(
          "time zone " + zone + " is no name of a region, such as Europe/Berlin or UTC");
    }
    return zone;
  }

  @Override
  public boolean isOfOneTurn(Instant had, Instant now) {
    return begin(had).equals(begin(now));
  }

  private ZonedDateTime begin(Instant time) {
    ZonedDateTime local = time.plus(EARLY).atZone(zone);
    return switch (unit) {
      case HOUR -> local.truncatedTo(ChronoUnit.HOURS);
      case DAY -> local.truncatedTo(ChronoUnit.DAYS);
      case WEEK ->
          local
              .truncatedTo(ChronoUnit.DAYS)
              .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> local.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
    };
  }

  @Override
  public Map<String, String> pieces() {
    return switch (unit) {
      case HOUR -> Map.of("due", NEXT_HOUR);
      case DAY -> pieces("'day'", "interval '1 day'");
      case WEEK -> pieces("'week'", "interval '7 days'");
      case MONTH -> pieces("'month'", "interval '1 month'");
    };
  }

  private static Map<String, String> pieces(String unit, String length) {
    return Map.of("due", NEXT_DATE, "unit", unit, "length", length);
  }

  @Override
  public void bind(SqlStatement statement) throws SQLException {
    statement.set("zone", zone.getId());
  }
}
