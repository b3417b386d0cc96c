package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedTable;
import dev.recorder.capture.EntitySource;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.capture.PinnedRelation;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.capture.postgres.catalog.CaptureCall;
import dev.recorder.capture.postgres.catalog.CaptureCheck;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.CaptureList;
import dev.recorder.capture.postgres.catalog.EntityCheck;
import dev.recorder.capture.postgres.catalog.ExpressionFindings;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.postgres.catalog.TableCatalog;
import dev.recorder.capture.postgres.snapshot.SecondSession;
import dev.recorder.capture.postgres.snapshot.SnapshotList;
import dev.recorder.capture.postgres.snapshot.SnapshotSession;
import dev.recorder.capture.postgres.snapshot.SnapshotState;
import dev.recorder.capture.postgres.snapshot.TableSnapshot;
import dev.recorder.capture.script.CaptureRemoval;
import dev.recorder.capture.script.CaptureScript;
import dev.recorder.capture.script.RequestScript;
import dev.recorder.capture.script.TableScript;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The captures of a database, on a session of its own. Not thread-safe. Its methods throw {@link
 * DatabaseException}.
 */
public final class Captures implements AutoCloseable {
  /** Text for messages about rights: the script that an administrator can run. */
  public static final String PRINTED = "the output of the same command with --print";

  /** How often {@link #remove} looks for tables that were armed while it was disarming. */
  private static final int ROUNDS = 3;

  private final Supplier<Optional<Connection>> another;
  private final Connection connection;
  private final CaptureNames names;
  private final String machines;
  private final TableCatalog catalog;
  private final CaptureList list;

  Captures(
      Connection connection,
      CaptureNames names,
      String machines,
      Supplier<Optional<Connection>> another) {
    this.another = another;
    this.connection = connection;
    this.names = names;
    this.machines = machines;
    this.catalog = new TableCatalog(connection, names.schemas());
    this.list = new CaptureList(connection, names);
  }

  /**
   * Opens the session.
   *
   * @param machines the database role of all hosts
   */
  public static Captures open(Sessions sessions, String machines) {
    return new Captures(
        sessions.openForQueries(),
        new CaptureNames(sessions.schemas()),
        machines,
        SecondSession.of(sessions));
  }

  /** A table to capture, by its name in SQL, and the options. */
  public record WantedCapture(RecorderName recorder, String table, CaptureOptions options) {}

  /**
   * Returns the SQL that captures a table. An administrator may run it in psql any number of times.
   *
   * @throws RefusedCaptureException if the table cannot be captured with these options, or is
   *     captured already and {@code again} is false
   */
  public String script(WantedCapture wanted, boolean again) throws RefusedCaptureException {
    return ask(() -> read(fresh(wanted, again), true).text());
  }

  /**
   * Returns the SQL that sets up all wanted captures that are missing or different. An
   * administrator may run it in psql any number of times. For a table that is captured with the
   * same options, it only arms unarmed partitions.
   *
   * @throws RefusedCaptureException if a table cannot be captured with the wanted options
   */
  public String script(List<CaptureRule> wanted) throws RefusedCaptureException {
    if (wanted.isEmpty()) {
      return "";
    }
    return ask(() -> new PlannedScript(this, names).of(CapturePlan.of(wanted, list()), check()));
  }

  /** Returns the tables that are not captured, or not with these options. */
  public List<TableName> unmet(List<CaptureRule> wanted) {
    CapturePlan plan = CapturePlan.of(wanted, list());
    return Stream.concat(plan.missing().stream(), plan.different().stream())
        .map(CaptureRule::table)
        .toList();
  }

  /**
   * Captures a table from now on.
   *
   * @param again whether a table that is captured already is set up again
   * @return the table's name in the log
   * @throws RefusedCaptureException if the table cannot be captured with these options, or is
   *     captured already and {@code again} is false
   * @throws DatabaseException with kind BUSY, if the table or a partition stayed in use by other
   *     sessions
   */
  public String add(WantedCapture wanted, boolean again)
      throws RefusedCaptureException, InterruptedException {
    CaptureRule rule = ask(() -> fresh(wanted, again));
    TableScript script = ask(() -> read(rule, false));
    Arming arming = new Arming(connection, Arming.ATTEMPTS);
    arming.run(script.relation().name(), script.statements());
    arming.each(script);
    arming.rows(script);
    arming.disarmStrays(script);
    return script.rule().table().logged();
  }

  /**
   * Returns warnings about a newly captured table, worded as in {@link #check()}: limits on
   * temporary files and triggers of others that affect its changes.
   *
   * @param logged the table's name in the log
   */
  public List<CaptureFinding> warnings(RecorderName recorder, String logged) {
    try {
      return new CaptureCheck(connection, names).warnings(recorder, logged);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private CaptureRule fresh(WantedCapture wanted, boolean again)
      throws SQLException, RefusedCaptureException {
    TableName table = catalog.parse(wanted.table());
    CaptureRule rule = new CaptureRule(wanted.recorder(), table, wanted.options());
    if (!again && list.of(rule).isPresent()) {
      throw new RefusedCaptureException(list.of(rule).orElseThrow().isThere(table));
    }
    return rule;
  }

  /**
   * Returns the script of a rule, made from the catalog's present state. A table that is captured
   * already keeps its name in the log, even if it was renamed.
   */
  TableScript read(CaptureRule wanted, boolean forOthers)
      throws SQLException, RefusedCaptureException {
    TableName name = wanted.table();
    Optional<Capture> there = list.of(wanted);
    TableName logged = there.map(capture -> capture.rule().table()).orElse(name);
    CaptureRule rule = new CaptureRule(wanted.recorder(), logged, wanted.options());
    try (Transaction transaction = Transaction.begin(connection)) {
      if (!rule.isOfDocuments()) {
        PinnedColumns before = there.map(Capture::columns).orElse(null);
        CapturedTable table = catalog.read(rule, name, before, forOthers);
        return new CaptureScript(names, table, rule, machines);
      }
      PinnedRelation relation = catalog.ofDocuments(rule, name, forOthers);
      EntitySource source =
          new EntityCheck(connection, rule).sourceOfNew(relation.tree(), forOthers);
      return new RequestScript(names, rule, relation, source, machines);
    }
  }

  /** Returns the source of the entities of a capture for documents, as of now. */
  EntitySource source(Capture capture) throws SQLException, RefusedCaptureException {
    try (Transaction transaction = Transaction.begin(connection)) {
      return new EntityCheck(connection, capture.rule()).source(capture.relations(), true);
    }
  }

  /** Returns whether a partition has, or had, rows. */
  boolean isWritten(long partition) throws SQLException {
    return CaptureCheck.isWritten(connection, partition);
  }

  /** Returns the name of a table or partition, by its oid in a finding. */
  TableName name(long oid) throws SQLException {
    return catalog.name(oid);
  }

  /** Returns all captures, ordered by recorder and table. */
  public List<Capture> list() {
    try {
      return list.all();
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /** Returns the progress of the last snapshot of each table that has one. */
  public List<SnapshotState> snapshots() {
    try {
      return SnapshotList.all(connection, names);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /**
   * Takes a snapshot: hands over all rows of a captured table while applications use the table. An
   * interrupted snapshot continues where it stopped. After a failure, call this on another session.
   *
   * @param anew whether to begin a new snapshot even if there is an interrupted one
   * @return the completed snapshot
   * @throws RefusedCaptureException if the table is not captured, or its rows cannot be handed over
   * @throws DatabaseException with kind BUSY, if other sessions blocked it for ten minutes
   */
  public SnapshotState snapshot(
      RecorderName recorder, String table, boolean anew, SnapshotState.SnapshotProgress progress)
      throws RefusedCaptureException, InterruptedException {
    Capture capture = capture(recorder, table);
    CaptureRule rule = capture.rule();
    TableName name = ask(() -> catalog.parse(table));
    if (capture.isNameTaken() && name.equals(rule.table())) {
      throw new RefusedCaptureException(capture.isThere(name));
    }
    ask(() -> new CaptureCheck(connection, names).of(Set.of(recorder)));
    try {
      new TableSnapshot(connection, names, rule, progress, another).run(anew);
    } catch (SQLException e) {
      throw SnapshotSession.explained(e, rule);
    }
    return snapshots().stream()
        .filter(last -> last.recorder().equals(recorder.value()))
        .filter(last -> last.table().equals(rule.table().logged()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns a finding for each table of the file that is not captured, or not with the file's
   * options.
   */
  public List<CaptureFinding> check(List<CaptureRule> wanted) {
    return CapturePlan.of(wanted, list()).findings();
  }

  /** Returns everything that is wrong with captures, by recorder and table. */
  public List<CaptureFinding> check() {
    try {
      List<CaptureFinding> findings = new ArrayList<>(new CaptureCheck(connection, names).all());
      findings.addAll(new ExpressionFindings(connection, names).of(list.all()));
      return findings;
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /**
   * Returns the SQL that ends a capture, for psql.
   *
   * @throws RefusedCaptureException if the table is not captured
   */
  public String removal(RecorderName recorder, String table) throws RefusedCaptureException {
    Capture capture = capture(recorder, table);
    return new CaptureRemoval(names, capture.rule(), capture.relations()).text();
  }

  /**
   * Ends a capture. Partitions are disarmed table by table. Rows that were handed over stay. After
   * an interruption, another call completes the removal.
   *
   * @return the table's name in the log
   * @throws DatabaseException with kind RIGHTS, if the role lacks a right for any step, before
   *     anything was changed; with kind BUSY, if a table stayed in use by other sessions, or a
   *     snapshot is running
   */
  public String remove(RecorderName recorder, String table)
      throws RefusedCaptureException, InterruptedException {
    Capture capture = capture(recorder, table);
    ask(() -> RemovalRight.require(connection, names, capture));
    CaptureRule rule = capture.rule();
    Arming arming = new Arming(connection, Arming.ATTEMPTS);
    List<TableName> armed = capture.relations();
    for (int round = 0; !armed.isEmpty() && round < ROUNDS; round++) {
      arming.disarm(new CaptureRemoval(names, rule, armed));
      armed = relations(rule);
    }
    CaptureRemoval.RemovalStep end = new CaptureRemoval(names, rule, List.of()).end();
    arming.run(end.table(), end.statements());
    return rule.table().logged();
  }

  /** Returns the armed tables of a capture. A host may have armed a new partition meanwhile. */
  private List<TableName> relations(CaptureRule rule) {
    return list().stream()
        .filter(capture -> capture.rule().equals(rule))
        .flatMap(capture -> capture.relations().stream())
        .toList();
  }

  private Capture capture(RecorderName recorder, String table) throws RefusedCaptureException {
    TableName name = ask(() -> catalog.parse(table));
    Optional<Capture> found =
        ask(() -> list.of(new CaptureRule(recorder, name, CaptureOptions.USUAL)));
    return found.orElseThrow(
        () ->
            new RefusedCaptureException(
                "recorder %s captures no table %s".formatted(recorder, name)));
  }

  @Override
  public void close() {
    SqlConnections.close(connection);
  }

  private <T> T ask(CaptureCall<T, RuntimeException> question) throws RefusedCaptureException {
    try {
      return question.run();
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }
}
