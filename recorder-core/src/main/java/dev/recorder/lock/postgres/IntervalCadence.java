package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Once in an interval. */
record IntervalCadence(Duration interval) implements Cadence {
  /** Of an interval: hosts that start at the same time, or some minutes apart. */
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
