package dev.recorder.schema;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.postgres.pin.PinnedDatabase;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.postgres.ForeignNumbers;
import dev.recorder.slotlog.postgres.HandoffShape;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Inserts missing rows of {@code lock_recorders} at start-up, and compares the rows with the host's
 * file and with the database's history.
 */
final class RecorderRows {
  /** The log's UUID in a result without a row. */
  private static final UUID NONE = new UUID(0, 0);

  private final SchemaNames names;
  private final ForeignNumbers foreign;
  private final DatabasePin pin;
  private final Sql rows;
  private final Sql insert;
  private final Sql pairs;

  RecorderRows(SchemaNames names) {
    this.names = names;
    this.foreign = new ForeignNumbers(names);
    this.pin = new DatabasePin(names);
    this.rows = Sql.in(names, ROWS);
    this.insert = Sql.in(names, INSERT);
    this.pairs = Sql.in(names, PAIRS);
  }

  private static final String ROWS =
      """
      SELECT lock_id, recorder, kind, log_uuid, layout::text, log_created,
        log_created OR last_slot > 0 AS placed
      FROM {lock_recorders}
      WHERE lock_id = :lock OR recorder = :recorder
      ORDER BY 1
      """;

  /**
   * Returns the recorder's row, which is created if missing, and whether this host may run the
   * recorder.
   */
  Setup.Row of(Connection connection, Setup.WantedRecorder wanted) throws SQLException {
    String table = new HandoffShape(names, wanted.recorder(), wanted.kind()).fault(connection);
    if (table.isEmpty()) {
      insertIfMissing(connection, wanted);
    }
    PinnedDatabase database = pin.look(connection, wanted.lockId());
    String another = database.refusal(wanted.recorder());
    // Transaction numbers order a log, while requests are settled one by one.
    String history =
        table.isEmpty() && wanted.kind() == RecorderKind.LOG
            ? history(connection, wanted, database)
            : "";
    String pairing = pairing(connection, wanted);
    try (SqlStatement statement = rows.on(connection)) {
      ResultSet row =
          statement.set("lock", wanted.lockId()).set("recorder", wanted.recorder().value()).query();
      if (!row.next()) {
        // A row of the wrong kind would remain after the file is corrected.
        return new Setup.Row(wanted.lockId(), NONE, false, false, table, "");
      }
      UUID log = UUID.fromString(row.getString("log_uuid"));
      String refusal =
          Stream.of(pairing, table, layout(row, wanted), history, another)
              .filter(found -> !found.isEmpty())
              .findFirst()
              .orElse("");
      if (refusal.isEmpty()) {
        accept(connection, wanted, database);
      }
      return new Setup.Row(
          wanted.lockId(), log, row.getBoolean("log_created"), pairing.isEmpty(), refusal, "");
    }
  }

  /** Accepts a pin. The pin of a log moves with the next settled slot. */
  private void accept(Connection connection, Setup.WantedRecorder wanted, PinnedDatabase found)
      throws SQLException {
    if (wanted.kind() == RecorderKind.LOG) {
      pin.remember(connection, wanted.lockId(), found);
    } else {
      pin.move(connection, wanted.lockId(), found);
    }
  }

  /**
   * Returns why the log cannot continue; empty if rows and position have this server's numbers, and
   * no others can come.
   */
  private String history(
      Connection connection, Setup.WantedRecorder wanted, PinnedDatabase database)
      throws SQLException {
    String replicated =
        Subscriptions.writingInto(connection, names.handoffTable(wanted.recorder()));
    if (!replicated.isEmpty()) {
      return replicated;
    }
    String numbers = foreign.refusal(connection, wanted.lockId(), wanted.recorder());
    return numbers.isEmpty() && database.isNew()
        ? new IdSequence(names, wanted.recorder()).behindNewest(connection, wanted.lockId())
        : numbers;
  }

  /** Returns the result for a recorder without its table; no row is created. */
  Setup.Row refused(Connection connection, Setup.WantedRecorder wanted, String why)
      throws SQLException {
    boolean paired = pairing(connection, wanted).isEmpty();
    return new Setup.Row(wanted.lockId(), NONE, false, paired, why, "");
  }

  private static final String INSERT =
      """
      INSERT INTO {lock_recorders} (lock_id, recorder, kind, layout, database)
      VALUES (:lock, :recorder, :kind, :layout::json, :database)
      ON CONFLICT DO NOTHING
      """;

  private void insertIfMissing(Connection connection, Setup.WantedRecorder wanted)
      throws SQLException {
    DatabaseIdentity here = pin.look(connection, wanted.lockId()).here();
    try (SqlStatement statement = insert.on(connection)) {
      statement
          .set("lock", wanted.lockId())
          .set("recorder", wanted.recorder().value())
          .set("kind", wanted.kind().word())
          .set("layout", wanted.layout().json())
          .set("database", here.beforeItsFirstSlot().text())
          .update();
    }
  }

  private static final String PAIRS =
      """
      SELECT recorder, lock_id, recorder = :recorder AND lock_id = :lock FROM {lock_recorders}
      WHERE lock_id = :lock OR recorder = :recorder
      ORDER BY lock_id
      """;

  /** Returns why name and lockid do not belong together in the database; empty if they do. */
  private String pairing(Connection connection, Setup.WantedRecorder wanted) throws SQLException {
    List<String> found = new ArrayList<>();
    boolean same = false;
    try (SqlStatement statement = pairs.on(connection)) {
      ResultSet row =
          statement.set("recorder", wanted.recorder().value()).set("lock", wanted.lockId()).query();
      while (row.next()) {
        found.add("lockid " + row.getInt(2) + " belongs to recorder " + row.getString(1));
        same |= row.getBoolean(3);
      }
    }
    return same
        ? ""
        : """
        recorder %s has lockid %s in this file, but in the database %s; give them as the database \
        has them, or a new recorder a free lockid\
        """
            .formatted(wanted.recorder(), wanted.lockId(), String.join(" and ", found));
  }

  /**
   * Returns why the place differs; empty if the recorder has this place, or none. While no host has
   * claimed a place, a mistyped bucket can be corrected.
   */
  private static String layout(ResultSet row, Setup.WantedRecorder wanted) throws SQLException {
    return row.getBoolean("placed")
        ? elsewhere(wanted.recorder(), row.getString("layout"), wanted.layout())
        : "";
  }

  private static String elsewhere(RecorderName recorder, String layout, PinnedLayout wanted) {
    PinnedLayout pinned = PinnedLayout.parse(layout);
    return pinned.equals(wanted)
        ? ""
        : """
        the log of recorder %s was created with %s, this file says %s; a log does not move: put \
        the file back as it was\
        """
            .formatted(recorder, pinned.json(), wanted.json());
  }

  private static final String PLACE =
      """
      UPDATE {lock_recorders} SET log_created = true,
        layout = CASE WHEN last_slot = 0 THEN :layout::json ELSE layout END
      WHERE lock_id = :lock AND NOT log_created
      """;

  private static final String PLACED =
      """
      SELECT recorder, layout::text FROM {lock_recorders} WHERE lock_id = :lock
      """;

  /**
   * Pins a recorder to the place that now has the recorder's identity object. Several hosts with
   * different files may have claimed a place each; the first one that comes here decides.
   *
   * @return why this is not the recorder's place; empty if it is
   */
  static String place(Connection connection, SchemaNames names, int lockId, PinnedLayout claimed)
      throws SQLException {
    try (SqlStatement statement = Sql.in(names, PLACE).on(connection)) {
      statement.set("lock", lockId).set("layout", claimed.json()).update();
    }
    try (SqlStatement statement = Sql.in(names, PLACED).on(connection)) {
      return statement
          .set("lock", lockId)
          .first(row -> elsewhere(new RecorderName(row.getString(1)), row.getString(2), claimed))
          .orElse("");
    }
  }
}
