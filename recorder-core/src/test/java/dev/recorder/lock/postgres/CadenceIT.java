package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a lock that can be had once in a day, or another unit of a calendar, can be had again. */
@ResourceLock(RowSite.SHARED)
class CadenceIT {
  @RegisterExtension static final RowSite site = RowSite.shared();

  @ParameterizedTest
  @CsvSource({
    // The day before the one of 23 hours, and that one: cron runs what is for 02:00 at 03:00.
    "day@Europe/Berlin, 2026-03-28T01:00:03Z, 2026-03-28T22:57:30Z",
    "day@Europe/Berlin, 2026-03-29T01:00:00Z, 2026-03-29T21:57:30Z",
    // Late, by hand.
    "day@Europe/Berlin, 2026-03-27T21:00:00Z, 2026-03-27T22:57:30Z",
    // The day of 25 hours, in which 02:00 comes twice.
    "day@Europe/Berlin, 2026-10-25T00:00:00Z, 2026-10-25T22:57:30Z",
    // At midnight, by a clock that is a little fast.
    "day@Europe/Berlin, 2026-11-26T22:57:29Z, 2026-11-26T22:57:30Z",
    "day@Europe/Berlin, 2026-11-26T22:59:59Z, 2026-11-27T22:57:30Z",
    // Where midnight comes twice: the first counts.
    "day@America/Havana, 2026-10-31T06:00:00Z, 2026-11-01T03:57:30Z",
    "day@America/Havana, 2026-11-01T04:00:00Z, 2026-11-02T04:57:30Z",
    "day@America/Havana, 2026-11-01T05:00:00Z, 2026-11-02T04:57:30Z",
    // Where there is none.
    "day@Africa/Cairo, 2026-04-23T12:00:00Z, 2026-04-23T21:57:30Z",
    "week@UTC, 2026-11-25T02:00:00Z, 2026-11-29T23:57:30Z",
    "month@UTC, 2026-01-31T02:00:00Z, 2026-01-31T23:57:30Z",
    "hour@UTC, 2026-11-25T12:31:00Z, 2026-11-25T12:57:30Z",
    "hour@Asia/Kolkata, 2026-11-25T12:10:00Z, 2026-11-25T12:27:30Z",
    "hour@Europe/Berlin, 2026-10-25T00:30:00Z, 2026-10-25T00:57:30Z"
  })
  void aCalendarsNextTurnBeginsWithItsNextUnit(String each, Instant had, Instant due)
      throws Exception {
    assertThat(due(cadence(each), had)).isEqualTo(due);
  }

  private static Cadence cadence(String each) {
    String[] parts = each.split("@");
    return Cadence.each(
        CalendarUnit.valueOf(parts[0].toUpperCase(Locale.ROOT)), ZoneId.of(parts[1]));
  }

  private static Instant due(Cadence cadence, Instant had) throws Exception {
    Map<String, String> pieces = new HashMap<>(cadence.pieces());
    pieces.put("now", "'" + had + "'::timestamptz");
    try (Connection connection = site.database.connect();
        SqlStatement statement =
            Sql.of("SELECT extract(epoch FROM {due})::bigint", pieces).on(connection)) {
      cadence.bind(statement);
      return Instant.ofEpochSecond(statement.number());
    }
  }

  @Test
  void onceInADayIsOnceInADay() throws Exception {
    TimeoutLocks locks =
        site.opened(new TimeoutLocks(site.sessions("calendar"), Instruments.PLAIN));
    Cadence daily = cadence("day@UTC");
    var lock = locks.lock("daily", daily, RowOptions.DEFAULT);

    Lease lease = take(lock);

    assertThat(lease.remaining()).isBetween(Duration.ZERO, Duration.ofDays(1));
    assertThat(lock.tryAcquire()).isEmpty();
    site.execute(
        "UPDATE recorder.lock_timeout SET due_at = due_at - interval '1 day' WHERE id = 'daily'");
    assertThat(take(lock).token()).isGreaterThan(lease.token());
  }

  @ParameterizedTest
  @CsvSource({
    "day@Europe/Berlin, 2026-03-28T01:00:03Z, 2026-03-29T01:00:00Z, false",
    "day@Europe/Berlin, 2026-03-28T01:00:03Z, 2026-03-28T20:00:00Z, true",
    "day@Europe/Berlin, 2026-11-26T22:58:00Z, 2026-11-26T23:01:00Z, true",
    "week@UTC, 2026-11-22T02:00:00Z, 2026-11-23T02:00:00Z, false",
    "week@UTC, 2026-11-23T02:00:00Z, 2026-11-29T02:00:00Z, true",
    "month@UTC, 2026-10-30T02:00:00Z, 2026-11-01T02:00:00Z, false",
    "hour@UTC, 2026-11-25T12:31:00Z, 2026-11-25T13:00:00Z, false"
  })
  void whoCameForTheSameTurnIsOfTheSameUnit(
      String each, Instant had, Instant asked, boolean expected) {
    assertThat(cadence(each).isOfOneTurn(had, asked)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"PT24H, PT2H, true", "PT24H, PT11H, false", "PT1H, PT1S, true"})
  void whoCameForTheSameTurnOfAnIntervalCameSoonAfter(
      Duration interval, Duration after, boolean expected) {
    Instant had = Instant.parse("2026-11-25T12:00:00Z");

    assertThat(Cadence.every(interval).isOfOneTurn(had, had.plus(after))).isEqualTo(expected);
  }

  /** Of "UTC+2" the server has the opposite opinion. */
  @ParameterizedTest
  @ValueSource(strings = {"+02:00", "UTC+2", "GMT-3"})
  void aZoneThatIsAnOffsetIsRefused(String zone) {
    assertThatThrownBy(() -> Cadence.each(CalendarUnit.DAY, ZoneId.of(zone)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no name of a region");
  }
}
