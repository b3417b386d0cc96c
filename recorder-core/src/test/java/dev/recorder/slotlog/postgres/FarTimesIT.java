package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.RawRow;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RowKey;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times that no object can name: beyond a long of microseconds, of which PostgreSQL has some. */
class FarTimesIT {
  /** The last that can be named. */
  private static final String LAST = "294247-01-10 04:00:54.775806+00";

  private RebaseSite site;

  @BeforeEach
  void open() throws Exception {
    site = new RebaseSite(PostgresServer.shared(), new MemoryStore());
    assertThat(site.setUp()).isEmpty();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "infinity",
        "-infinity",
        "294276-12-31 23:59:59+00",
        "294247-01-10 04:00:54.775807+00"
      })
  void aRowOfSuchATimeCannotBeRecorded(String time) throws Exception {
    try (Connection connection = site.database.connect();
        BinaryCopy copy = new BinaryCopy(connection, selecting(time))) {
      assertThatThrownBy(copy::next)
          .isInstanceOf(UnrecordableRowException.class)
          .hasMessageContaining("its time is infinite, or later than");
    }
  }

  @Test
  void theLastTimeThatCanBeNamedIsRead() throws Exception {
    try (Connection connection = site.database.connect();
        BinaryCopy copy = new BinaryCopy(connection, selecting(LAST))) {
      RawRow row = copy.next();
      assertThat(row).isNotNull();
      assertThat(row.timeMicros()).isEqualTo(Long.MAX_VALUE - 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"infinity", "-infinity", "294276-12-31 23:59:59+00"})
  void anAdoptionByRowsTakesARowOfSuchATimeForNone(String time) throws Exception {
    site.run("ALTER TABLE handoff.orders DROP CONSTRAINT orders_time_check");
    insert(time);
    insert(LAST);
    List<RecordedLine> lines = List.of(line(1, 0), line(2, Long.MAX_VALUE - 1));

    try (Connection connection = site.database.connect()) {
      assertThat(
              new RowIdentity(SchemaNames.DEFAULT, RebaseSite.ORDERS).matching(connection, lines))
          .extracting(RowKey::id)
          .containsExactly(2L);
    }
  }

  private void insert(String time) throws SQLException {
    site.run("INSERT INTO handoff.orders (time, payload) VALUES ('" + time + "', '{}')");
  }

  private RecordedLine line(long id, long micros) throws SQLException {
    long xid = Long.parseLong(site.ask("SELECT xid FROM handoff.orders WHERE id = " + id).get(0));
    return new RecordedLine(
        id, xid, new LineEncoder().encode(new HandoffRow(id, xid, micros, null, "{}")));
  }

  private static String selecting(String time) {
    return "SELECT 1::bigint, 2::bigint, '" + time + "'::timestamptz, 'k', '{}'::json";
  }
}
