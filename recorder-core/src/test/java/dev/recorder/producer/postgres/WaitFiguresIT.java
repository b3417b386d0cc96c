package dev.recorder.producer.postgres;

import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How long it is from a commit until its application knows that it is recorded, without linger and
 * with a store that takes no time: {@code -Dwaits=1000} for more than the usual number.
 */
@Tag("nightly")
class WaitFiguresIT {
  private static final int WAITS = Integer.getInteger("waits", 100);

  private ProducedLog log;

  @BeforeEach
  void start() throws Exception {
    log = new ProducedLog();
    log.start();
  }

  @AfterEach
  void close() throws Exception {
    log.close();
  }

  @Test
  void byASettledSlot() throws Exception {
    try (RecordedWaits waits = new RecordedWaits(log.sessions())) {
      measure("told by the settle", xid -> waits.await("orders", xid, A_MINUTE));
    }
  }

  @Test
  void byAskingInSql() throws Exception {
    try (Connection connection = log.connect();
        PreparedStatement asking =
            connection.prepareStatement("SELECT recorder.wait_recorded('orders', ?::xid8)")) {
      measure(
          "asking in SQL",
          xid -> {
            asking.setString(1, Long.toString(xid));
            try (ResultSet row = asking.executeQuery()) {
              return row.next() && row.getBoolean(1);
            }
          });
    }
  }

  private interface Waiting {
    boolean isRecorded(long xid) throws Exception;
  }

  private void measure(String way, Waiting waiting) throws Exception {
    long[] micros = new long[WAITS];
    long[] afterSettle = new long[WAITS];
    try (Connection connection = log.connect()) {
      for (int i = 0; i < WAITS; i++) {
        long xid = ProducedLog.commit(connection, 1);
        long committed = System.nanoTime();
        assertThat(waiting.isRecorded(xid)).isTrue();
        micros[i] = (System.nanoTime() - committed) / 1_000;
        long told = microsNow();
        afterSettle[i] = told - log.database.number(SETTLED_AT);
      }
    }
    assertThat(log.lines()).hasSize(WAITS);
    print("from commit to recorded, " + way, micros);
    print("of that behind the settle, " + way, afterSettle);
  }

  private static final String SETTLED_AT =
      "SELECT (extract(epoch FROM settled_at) * 1000000)::bigint FROM recorder.lock_recorders";

  private static long microsNow() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  private static void print(String what, long[] micros) {
    Arrays.sort(micros);
    System.out.printf(
        "figure: %s: median %.1f ms, 95 %% within %.1f ms, at most %.1f ms%n",
        what, micros[WAITS / 2] / 1e3, micros[WAITS * 95 / 100] / 1e3, micros[WAITS - 1] / 1e3);
  }
}
