package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.LockGuard;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Provides, at start-up and under lock {@value #LOCK_ID}, all objects that the recorders need in
 * the database. It creates missing objects where the role may, and otherwise names the SQL to run.
 */
public final class Setup {
  /** The lockid that guards the creation of tables and of recorders' rows. */
  public static final int LOCK_ID = 999;

  private static final Duration WAIT_FOR_LOCK = Duration.ofSeconds(30);
  private static final Duration CREATE_WITHIN = Duration.ofSeconds(30);

  private final RdsManager manager;
  private final SchemaNames names;
  private final TableCreation missing;
  private final HandoffTableSetup admission;
  private final RecorderRows recorders;
  private final ServerQueries server;

  public Setup(RdsManager manager) {
    this.manager = manager;
    this.names = manager.schemas();
    this.missing = new TableCreation(names);
    this.admission = new HandoffTableSetup(names, missing);
    this.recorders = new RecorderRows(names);
    this.server = new ServerQueries(names);
  }

  /** The wanted row and hand-off table of a recorder. */
  public record WantedRecorder(
      int lockId, RecorderName recorder, RecorderKind kind, PinnedLayout layout, Handoff handoff) {

    HandoffTable table() {
      return new HandoffTable(recorder, kind, handoff.maxPayload());
    }
  }

  /**
   * The wanted hand-off table.
   *
   * @param maxPayload the largest accepted payload in bytes
   * @param ticks whether this host itself inserts rows into it
   */
  public record Handoff(long maxPayload, boolean ticks) {}

  /**
   * The result for a recorder.
   *
   * @param log the log's UUID
   * @param logCreated whether the log's identity object was written to its store, so that a store
   *     without this object is another one
   * @param paired whether name and lockid belong together in the database, so that the row is this
   *     recorder's
   * @param refusal why this host must not run the recorder; empty if it may
   * @param payloadLimit why the hand-off table does not have the wanted limit; empty if it has
   */
  public record Row(
      int lockId,
      UUID log,
      boolean logCreated,
      boolean paired,
      String refusal,
      String payloadLimit) {

    private Row limited(String payloadLimit) {
      return new Row(lockId, log, logCreated, paired, refusal, payloadLimit);
    }
  }

  /**
   * Prepares the start of a host: creates missing objects, and returns the recorders' rows in the
   * order of {@code wanted}.
   *
   * @throws DatabaseException with kind RIGHTS and the SQL to run, if all recorders lack an object
   *     that this role may not create
   */
  public List<Row> run(List<WantedRecorder> wanted) throws InterruptedException {
    return run(wanted, true);
  }

  /**
   * Prepares recorders that are added to a running host: as {@link #run(List)}, but never fails for
   * missing objects.
   */
  public List<Row> add(List<WantedRecorder> wanted) throws InterruptedException {
    return run(wanted, false);
  }

  private List<Row> run(List<WantedRecorder> wanted, boolean starting) throws InterruptedException {
    try (LockGuard guard = LockGuard.acquire(manager, LOCK_ID, WAIT_FOR_LOCK)) {
      if (!guard.isHeld()) {
        throw new DatabaseException(
            DatabaseErrorKind.UNREACHABLE, "the session ended during start-up");
      }
      return manager.callWithin(
          CREATE_WITHIN,
          connection -> {
            requireOneRole(connection);
            if (!missing.isControlThere(connection)) {
              checkVersion(connection);
              missing.createControl(connection);
            }
            Rights.control(names).require(connection);
            checkVersion(connection);
            renewActiveRecorders(connection);
            HandoffTableSetup.Admitted admitted = admission.look(connection, wanted);
            if (starting && admitted.forAll().isPresent()) {
              throw admitted.forAll().get();
            }
            List<Row> rows = new ArrayList<>();
            for (WantedRecorder recorder : wanted) {
              String refusal = admitted.refusals().get(recorder);
              rows.add(
                  refusal == null
                      ? row(connection, recorder)
                      : recorders.refused(connection, recorder, refusal));
            }
            return rows;
          });
    }
  }

  /**
   * Any role may use such an application name, but only a host's role may also update the
   * heartbeats.
   */
  private static final Sql OF_ANOTHER_ROLE =
      Sql.of(
          """
          SELECT a.application_name, a.usename, current_user FROM pg_stat_activity a
          WHERE a.application_name LIKE 'recorder/%/control' AND a.usename <> current_user
            AND a.datname = current_database()
            AND coalesce((
              SELECT has_table_privilege(a.usesysid, c.oid, 'UPDATE')
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              WHERE n.nspname = split_part(:machines, '.', 1)::name
                AND c.relname = split_part(:machines, '.', 2)::name), true)
          LIMIT 1
          """);

  /**
   * Fails if a host runs under another role. Only the same role may end the sessions of a hung
   * host; otherwise its locks would stay forever.
   */
  private void requireOneRole(Connection connection) throws SQLException {
    try (SqlStatement statement = OF_ANOTHER_ROLE.on(connection)) {
      ResultSet row = statement.set("machines", names.table("info_recorders")).query();
      if (row.next()) {
        throw new DatabaseException(
            DatabaseErrorKind.UNUSABLE,
            """
            session %s runs under role %s, this host under %s: give all hosts one \
            [postgredb] user, or a hung one cannot be evicted\
            """
                .formatted(row.getString(1), row.getString(2), row.getString(3)));
      }
    }
  }

  /** Returns the message on one line, for logs and command output. */
  public static String inOneLine(DatabaseException e) {
    return String.valueOf(e.getMessage()).replace('\n', ' ');
  }

  private Row row(Connection connection, WantedRecorder wanted) throws SQLException {
    Row row = recorders.of(connection, wanted);
    if (!row.refusal().isEmpty()) {
      return row;
    }
    PayloadLimit limit =
        new PayloadLimit(names, wanted.recorder(), wanted.kind(), wanted.handoff().maxPayload());
    return row.limited(limit.apply(connection));
  }

  /**
   * Records that a log's identity object is in its store, and pins the log to this place.
   * Idempotent.
   *
   * @return why the log has another place; empty if it has this one
   */
  public static String logCreated(RdsManager manager, int lockId, PinnedLayout claimed) {
    return manager.call(
        connection -> RecorderRows.place(connection, manager.schemas(), lockId, claimed));
  }

  private void renewActiveRecorders(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(ActiveRecorders.renew(names));
    }
    String fault = ActiveRecorders.fault(connection, names);
    if (!fault.isEmpty()) {
      throw new DatabaseException(DatabaseErrorKind.UNREACHABLE, fault);
    }
  }

  private void checkVersion(Connection connection) throws SQLException {
    int found = server.schemaVersion(connection).orElse(Schema.VERSION);
    if (found != Schema.VERSION) {
      throw new DatabaseException(
          DatabaseErrorKind.UNUSABLE, anotherVersion(names.control(), found));
    }
  }

  /** Returns the message about a control schema of another version. */
  public static String anotherVersion(String schema, int found) {
    return "schema %s has version %s, this program runs on %s: %s"
        .formatted(
            schema,
            found,
            Schema.VERSION,
            found > Schema.VERSION
                ? "update this host's program"
                : "let an administrator run the output of 'recorder schema'");
  }
}
