package dev.recorder.operate.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.postgres.PausedQuery;
import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.OneLog;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pauses in a real database, in which no machine runs. */
class PausesIT {
  private static final RecorderName ORDERS = new RecorderName("orders");
  private static final LogLayout LAYOUT =
      new LogLayout("", "bucket", "prod", ORDERS, Compression.GZIP);

  private TestDatabase database;
  private Inspection inspection;
  private Pauses pauses;

  @BeforeEach
  void open() throws SQLException {
    database = OneLog.database(OneLog.wanted(1, LAYOUT));
    inspection = Inspection.open(new Sessions(TestSettings.patient(database), "cli"));
    pauses = inspection.pauses();
  }

  @AfterEach
  void close() throws SQLException {
    inspection.close();
    database.close();
  }

  @Test
  void aPauseSaysUntilWhenWhyAndByWhomAsTheServerSawThem() throws SQLException {
    Instant before = Instant.parse(query("SELECT to_json(now())#>>'{}'").get(0));
    assertThat(pauses.pause(ORDERS, order(Duration.ofHours(2), "bucket moves", "alice"))).isTrue();

    assertThat(pauses.of(ORDERS))
        .hasValueSatisfying(
            paused -> {
              assertThat(paused.until())
                  .isBetween(
                      before.plus(Duration.ofHours(2)),
                      before.plus(Duration.ofHours(2).plusMinutes(10)));
              assertThat(paused.reason()).isEqualTo("bucket moves");
              assertThat(paused.by())
                  .isEqualTo(new Operator("alice", TestDatabase.ROLE, "127.0.0.1"));
            });
  }

  @Test
  void aPauseIsMadeLongerAndNeverShorter() throws SQLException {
    pauses.pause(ORDERS, order(Duration.ofHours(2), "bucket moves", "alice"));

    assertThat(pauses.pause(ORDERS, order(Duration.ofMinutes(5), "a try", "bob"))).isFalse();
    assertThat(pauses.of(ORDERS).orElseThrow().reason()).isEqualTo("bucket moves");
    assertThat(pauses.pause(ORDERS, order(Duration.ofHours(3), "still moving", "bob"))).isTrue();
    assertThat(pauses.of(ORDERS).orElseThrow().by())
        .isEqualTo(new Operator("bob", TestDatabase.ROLE, "127.0.0.1"));
    assertThat(query("SELECT os_user || ' ' || reason FROM recorder.pauses ORDER BY id"))
        .containsExactly("alice bucket moves", "bob still moving");
  }

  @Test
  void thePauseOfARecorderThatIsGoneHoldsNobodyWhoGetsItsLockid() throws SQLException {
    pauses.pause(ORDERS, order(Duration.ofHours(2), "bucket moves", "alice"));
    assertThat(seenByHosts()).containsOnlyKeys(1);

    for (String successor : List.of("carts", "orders")) {
      execute("DELETE FROM recorder.lock_recorders");
      execute(
          "INSERT INTO recorder.lock_recorders (lock_id, recorder, layout) VALUES (1, '"
              + successor
              + "', '{}')");

      assertThat(seenByHosts()).isEmpty();
    }
    pauses.pause(ORDERS, order(Duration.ofMinutes(5), "why", "bob"));
    assertThat(seenByHosts()).containsOnlyKeys(1);
  }

  private Map<Integer, PausedQuery.Lasting> seenByHosts() throws SQLException {
    try (Connection host = database.connect()) {
      return new PausedQuery(SchemaNames.DEFAULT).on(host);
    }
  }

  @Test
  void whoeverResumesIsNotedAndOneThatIsNotPausedStaysAsItIs() throws SQLException {
    assertThat(pauses.resume(ORDERS, "bob")).isFalse();
    pauses.pause(ORDERS, order(Duration.ofHours(2), "bucket moves", "alice"));

    assertThat(pauses.resume(ORDERS, "bob")).isTrue();
    assertThat(pauses.of(ORDERS)).isEmpty();
    assertThat(pauses.resume(ORDERS, "bob")).isFalse();
    assertThat(query("SELECT os_user || coalesce(reason, '') FROM recorder.pauses ORDER BY id"))
        .containsExactly("alicebucket moves", "bob");
  }

  @Test
  void aPauseEndsByTheServersClockAndTheNextOneIsFree() throws SQLException {
    pauses.pause(ORDERS, order(Duration.ofHours(2), "bucket moves", "alice"));
    execute("UPDATE recorder.lock_recorders SET paused_until = clock_timestamp()");

    assertThat(pauses.of(ORDERS)).isEmpty();
    assertThat(pauses.resume(ORDERS, "bob")).isFalse();
    assertThat(pauses.pause(ORDERS, order(Duration.ofSeconds(1), "again", "bob"))).isTrue();
  }

  @Test
  void aPauseThatIsMadeLongerHasLastedSinceItBeganAndTheNextOneSinceThat() throws SQLException {
    String at = "SELECT to_json(at)#>>'{}' FROM recorder.pauses ORDER BY id";
    pauses.pause(ORDERS, order(Duration.ofHours(2), "bucket moves", "alice"));
    pauses.pause(ORDERS, order(Duration.ofHours(3), "still moving", "bob"));
    assertThat(pauses.of(ORDERS).orElseThrow().since())
        .isEqualTo(OffsetDateTime.parse(query(at).get(0)).toInstant());

    pauses.resume(ORDERS, "bob");
    pauses.pause(ORDERS, order(Duration.ofHours(1), "again", "bob"));
    assertThat(pauses.of(ORDERS).orElseThrow().since())
        .isEqualTo(OffsetDateTime.parse(query(at).get(3)).toInstant());

    execute("UPDATE recorder.lock_recorders SET paused_until = paused_until + interval '1 h'");
    assertThat(pauses.of(ORDERS).orElseThrow().since()).as("by hand").isNull();
  }

  @Test
  void aRecorderThatIsNotThereIsNotPaused() {
    RecorderName unknown = new RecorderName("unknown");
    assertThat(pauses.pause(unknown, order(Duration.ofHours(2), "why", "alice"))).isFalse();
    assertThat(pauses.of(unknown)).isEmpty();
  }

  @Test
  void whoHasTheRowLockedIsNotWaitedForForEver() throws SQLException {
    try (Connection stranger = database.connect();
        Statement statement = stranger.createStatement()) {
      stranger.setAutoCommit(false);
      statement.execute("SELECT FROM recorder.lock_recorders FOR UPDATE");

      assertThatThrownBy(() -> pauses.pause(ORDERS, order(Duration.ofHours(1), "why", "alice")))
          .isInstanceOfSatisfying(
              DatabaseException.class, e -> assertThat(e.kind()).isEqualTo(DatabaseErrorKind.BUSY));
      stranger.rollback();
    }
    assertThat(pauses.pause(ORDERS, order(Duration.ofHours(1), "why", "alice"))).isTrue();
  }

  @Test
  void whatSomebodyWroteByHandIsShownOnOneLineAndWithoutAName() throws SQLException {
    execute(
        "UPDATE recorder.lock_recorders SET paused_until = now() + interval '1 day',"
            + " pause_reason = E'by hand\\nERROR'");

    assertThat(pauses.of(ORDERS).orElseThrow().toString())
        .startsWith("paused by an operator until ")
        .endsWith(": by hand?ERROR");
  }

  @Test
  void aPauseHasAnEndAndAReason() {
    for (Duration wrong : List.of(Duration.ZERO, Duration.ofMillis(999), Duration.ofDays(8))) {
      assertThatThrownBy(() -> order(wrong, "why", "alice"))
          .hasMessage("a pause lasts from 1 s to 7 days");
    }
    for (String wrong : List.of(" ", "two\nlines", "x".repeat(301), "\u202egnorw")) {
      assertThatThrownBy(() -> order(Duration.ofHours(1), wrong, "alice"))
          .hasMessage("the reason of a pause is one line of text, of 300 characters at most");
    }
    assertThat(order(Duration.ofDays(7), "x".repeat(300), "a\nb" + "c".repeat(300)).osUser())
        .startsWith("a?b")
        .hasSize(200);
  }

  private static PauseOrder order(Duration lasts, String reason, String osUser) {
    return new PauseOrder(lasts, reason, osUser);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> query(String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        found.add(row.getString(1));
      }
    }
    return found;
  }
}
