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
  /** In messages about rights: what an administrator may run. */
  public static final String PRINTED = "the output of the same command with --print";

  /** How often it is looked for what was armed while the rest was disarmed. */
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
   * @param machines the role of all machines
   */
  public static Captures open(Sessions sessions, String machines) {
    return new Captures(
        sessions.openForQueries(),
        new CaptureNames(sessions.schemas()),
        machines,
        SecondSession.of(sessions));
  }

  /** A table to be captured, and how. */
  public record WantedCapture(RecorderName recorder, String table, CaptureOptions options) {}

  /**
   * The SQL that captures a table, for an administrator to run in psql, any number of times.
   *
   * @throws RefusedCaptureException if it cannot be captured so, or not {@code again}
   */
  public String script(WantedCapture wanted, boolean again) throws RefusedCaptureException {
    return ask(() -> read(fresh(wanted, again), true).text());
  }

  /**
   * The SQL for all that a recorder should capture but does not: for an administrator to run in
   * psql, any number of times. What is captured with the same options stays as it is, except
   * partitions that are not armed.
   *
   * @throws RefusedCaptureException if one of them cannot be captured so
   */
  public String script(List<CaptureRule> wanted) throws RefusedCaptureException {
    if (wanted.isEmpty()) {
      return "";
    }
    return ask(() -> new PlannedScript(this, names).of(CapturePlan.of(wanted, list()), check()));
  }

  /** Those of these tables that are not captured, or not so. */
  public List<TableName> unmet(List<CaptureRule> wanted) {
    CapturePlan plan = CapturePlan.of(wanted, list());
    return Stream.concat(plan.missing().stream(), plan.different().stream())
        .map(CaptureRule::table)
        .toList();
  }

  /**
   * Captures a table from now on.
   *
   * @param again whether to set up again one that is captured already
   * @return what it is called in the log
   * @throws RefusedCaptureException if it cannot be captured so, or is
   * @throws DatabaseException with kind BUSY, if it stayed in use by others
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
   * What changes of a table will run into that is captured from now on, as {@link #check()} says
   * it.
   *
   * @param logged what it is called in the log
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
   * The script of a rule, by what the catalog says of its table now. A table that is captured
   * already, under a name that it had before, keeps that one in the log.
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

  /** What a capture for documents finds its entities in, as of now. */
  EntitySource source(Capture capture) throws SQLException, RefusedCaptureException {
    try (Transaction transaction = Transaction.begin(connection)) {
      return new EntityCheck(connection, capture.rule()).source(capture.relations(), true);
    }
  }

  /** Whether a partition has, or had, rows. */
  boolean isWritten(long partition) throws SQLException {
    return CaptureCheck.isWritten(connection, partition);
  }

  /** The table or partition of an oid that a finding has. */
  TableName name(long oid) throws SQLException {
    return catalog.name(oid);
  }

  /** All captures, by recorder and table. */
  public List<Capture> list() {
    try {
      return list.all();
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /** How far the last snapshot of each table is that has one. */
  public List<SnapshotState> snapshots() {
    try {
      return SnapshotList.all(connection, names);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /**
   * Hands over all rows that a captured table has, while it is in use. What was broken off goes on
   * where it was; after a failure here, on another session.
   *
   * @param anew whether it begins from the beginning in any case
   * @return the snapshot that has ended
   * @throws RefusedCaptureException if it is not captured, or cannot be handed over so
   * @throws DatabaseException with kind BUSY, if others stayed in its way for ten minutes
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

  /** Those tables of the file that are not captured, or not so. */
  public List<CaptureFinding> check(List<CaptureRule> wanted) {
    return CapturePlan.of(wanted, list()).findings();
  }

  /** What is not as it should be, by recorder and table. */
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
   * The SQL that ends a capture, for psql.
   *
   * @throws RefusedCaptureException if there is none
   */
  public String removal(RecorderName recorder, String table) throws RefusedCaptureException {
    Capture capture = capture(recorder, table);
    return new CaptureRemoval(names, capture.rule(), capture.relations()).text();
  }

  /**
   * Ends a capture, table by table if there are partitions; what it has handed over stays. What was
   * broken off goes on when it is asked for again.
   *
   * @return what the table is called in the log
   * @throws DatabaseException with kind RIGHTS, if it may not do all of it, and has done nothing;
   *     BUSY, if a table stayed in use by others, or a snapshot is under way
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

  /** What of it is armed now: a host may have been arming a new partition. */
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
