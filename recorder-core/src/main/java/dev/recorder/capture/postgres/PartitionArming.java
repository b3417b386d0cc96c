package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.TableName;
import dev.recorder.capture.TableNames;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import dev.recorder.capture.postgres.catalog.CaptureCheck;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.CaptureRoots;
import dev.recorder.capture.script.CaptureTriggers;
import dev.recorder.capture.script.CaptureTriggers.Purpose;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.QueryFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Arms a new partition of a captured table: creates triggers that call the table's function, in one
 * transaction that locks only this partition.
 *
 * <p>If the capture is for documents, the triggers' function must be able to read the partition,
 * since a TRUNCATE requests the documents of all deleted rows.
 *
 * <p>No row of the partition is read, so that no code of its owner runs. Earlier writes are
 * recognised by the partition's file.
 */
final class PartitionArming {
  private final Connection connection;
  private final CaptureNames names;
  private final Sql partition;

  PartitionArming(Connection connection, CaptureNames names) {
    this.connection = connection;
    this.names = names;
    this.partition =
        Sql.in(
            names.schemas(),
            PARTITION,
            Map.of(
                "roots", CaptureRoots.of(names),
                "capture", Quoted.literal(CaptureNames.ROLE),
                "purpose", CaptureRoots.PURPOSE,
                "readers", Quoted.literal(QueryFunction.READERS)));
  }

  private static final String PARTITION =
      """
      SELECT n.nspname, c.relname, k.function_name, current_user,
        has_table_privilege(c.oid, 'TRIGGER') AS may_trigger,
        has_function_privilege(f.oid, 'EXECUTE') AS may_execute,
        (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgfoid = f.oid) = 4
          AND EXISTS (SELECT FROM pg_partition_ancestors(c.oid) a
            WHERE a.relid = k.root AND a.relid <> c.oid) AS is_armed,
        {purpose} AS purpose,
        CASE WHEN k.entity_sql IS NULL THEN 'NEEDS_NOT'
          WHEN c.relrowsecurity AND NOT (r.rolbypassrls OR r.rolsuper) THEN 'SOME_ROWS'
          WHEN NOT has_schema_privilege(r.oid, n.oid, 'USAGE') THEN 'NOT_THE_SCHEMA'
          WHEN has_table_privilege(r.oid, c.oid, 'SELECT') THEN 'MAY'
          WHEN has_table_privilege(c.oid, 'SELECT WITH GRANT OPTION') THEN 'MAY_IF_GRANTED'
          ELSE 'MAY_NOT' END AS reading
      FROM ({roots}) AS k
      JOIN pg_proc f ON f.oid = k.function
      JOIN pg_roles r ON r.rolname =
        CASE WHEN k.entity_sql IS NULL THEN {capture} ELSE {readers} END
      JOIN pg_class c ON c.oid = :partition::oid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE k.recorder = :recorder AND k.captured = :captured
      """;

  /**
   * A partition.
   *
   * @param isArmed whether it has all triggers and still is below the captured table
   */
  private record FoundPartition(
      TableName name,
      String function,
      String role,
      boolean mayTrigger,
      boolean mayExecute,
      boolean isArmed,
      Purpose purpose,
      ReadingRight reading) {
    boolean isOfDocuments() {
      return purpose.isOfDocuments();
    }
  }

  /** Whether the function of triggers for documents may read the partition. */
  private enum ReadingRight {
    NEEDS_NOT,
    MAY,
    /** The role that arms the partition can grant the right. */
    MAY_IF_GRANTED,
    MAY_NOT,
    NOT_THE_SCHEMA,
    /** Row level security would hide rows. */
    SOME_ROWS
  }

  private Optional<FoundPartition> find(CaptureFinding finding) throws SQLException {
    try (SqlStatement statement = partition.on(connection)) {
      return statement
          .setLongOrNull("partition", finding.unarmed())
          .set("recorder", finding.recorder())
          .set("captured", finding.table())
          .first(
              row ->
                  new FoundPartition(
                      new TableName(row.getString("nspname"), row.getString("relname")),
                      row.getString("function_name"),
                      row.getString("current_user"),
                      row.getBoolean("may_trigger"),
                      row.getBoolean("may_execute"),
                      row.getBoolean("is_armed"),
                      Purpose.valueOf(row.getString("purpose")),
                      ReadingRight.valueOf(row.getString("reading"))));
    }
  }

  /**
   * Arms the partition of a finding, or returns why not.
   *
   * @throws DatabaseException if the session is no longer usable
   */
  List<CaptureNews> arm(CaptureFinding finding) throws SQLException {
    Optional<FoundPartition> found = find(finding);
    if (found.isEmpty()) {
      return List.of();
    }
    String lacking = lacking(found.get());
    return lacking.isEmpty()
        ? arm(finding, found.get())
        : List.of(news(NewsKind.NOT_ARMED, finding, found.get(), lacking));
  }

  private static String lacking(FoundPartition found) {
    if (!found.mayExecute()) {
      return "role %s is no member of %s: let an administrator run the output of 'recorder schema'"
          .formatted(found.role(), CaptureNames.ROLE);
    }
    if (!found.mayTrigger()) {
      return "role %s has not the right TRIGGER on it: let its owner run GRANT TRIGGER ON %s TO \"%s\""
              .formatted(found.role(), TableNames.written(found.name()), found.role())
          + PRINTED;
    }
    return unreadable(found);
  }

  private static final String PRINTED =
      ", or an administrator the output of 'recorder schema --online'";

  private static String unreadable(FoundPartition found) {
    TableName name = found.name();
    return switch (found.reading()) {
      case NEEDS_NOT, MAY, MAY_IF_GRANTED -> "";
      case MAY_NOT ->
          "a TRUNCATE of it has to read it: let its owner run %s"
                  .formatted(CaptureTriggers.grant(name))
              + PRINTED;
      case NOT_THE_SCHEMA ->
          "a TRUNCATE of it has to read it: let an administrator run %s"
              .formatted(CaptureTriggers.grantSchema(name));
      case SOME_ROWS ->
          "a TRUNCATE of it has to read it, and its row level security would keep rows from role %s"
              .formatted(QueryFunction.READERS);
    };
  }

  private List<CaptureNews> arm(CaptureFinding finding, FoundPartition found) throws SQLException {
    CaptureTriggers triggers =
        new CaptureTriggers(
            new RecorderName(finding.recorder()),
            names.schemas().table(found.function()),
            found.purpose());
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      for (String each : triggers.arming(found.name())) {
        statement.execute(each);
      }
      if (found.reading() == ReadingRight.MAY_IF_GRANTED) {
        statement.execute(CaptureTriggers.grant(found.name()));
      }
      Optional<FoundPartition> armed = find(finding);
      if (armed.isEmpty() || !armed.get().isArmed()) {
        return List.of(); // Another table has its name now, or it was detached.
      }
      boolean isWritten =
          CaptureCheck.isWritten(connection, Objects.requireNonNull(finding.unarmed()));
      transaction.commit();
      return armed(finding, found, isWritten);
    } catch (SQLException e) {
      return failed(finding, found, e);
    }
  }

  private static List<CaptureNews> armed(
      CaptureFinding finding, FoundPartition found, boolean isWritten) {
    CaptureNews armed = news(NewsKind.ARMED, finding, found, "");
    if (!isWritten) {
      return List.of(armed);
    }
    String text = found.isOfDocuments() ? OF_DOCUMENTS : OF_LOG;
    return List.of(
        armed,
        news(
            found.isOfDocuments() ? NewsKind.PERHAPS_OLD : NewsKind.PERHAPS_LOST,
            finding,
            found,
            text.formatted(finding.table(), TableNames.written(found.name()))));
  }

  private static final String BEFORE =
      "it had been written to before it was armed, or came with rows, and what was not written by"
          + " way of %1$s ";

  private static final String OF_LOG =
      BEFORE
          + "is not in the log: 'recorder capture snapshot' hands over all rows of %1$s and removes"
          + " those that are gone; or look for such rows, and update them in place (UPDATE %2$s SET"
          + " c = c WHERE ...), which is captured";

  private static final String OF_DOCUMENTS =
      BEFORE
          + "has asked for no document: update such rows in place (UPDATE %2$s SET c = c WHERE"
          + " ...), which does, or ask for their entities";

  private List<CaptureNews> failed(CaptureFinding finding, FoundPartition found, SQLException e)
      throws SQLException {
    DatabaseException failure = DatabaseException.of(e);
    switch (failure.kind()) {
      case BUSY -> {
        String inTheWay = Blockers.ofAnyLock(connection, List.of(TableNames.written(found.name())));
        return List.of(
            new CaptureNews(
                NewsKind.NOT_ARMED,
                finding.recorder(),
                found.name().toString(),
                CaptureKeeping.IN_USE,
                inTheWay));
      }
      case RIGHTS, FAILED -> {
        return List.of(news(NewsKind.NOT_ARMED, finding, found, SqlStates.describe(e)));
      }
      default -> throw failure;
    }
  }

  private static CaptureNews news(
      NewsKind kind, CaptureFinding finding, FoundPartition found, String text) {
    return new CaptureNews(kind, finding.recorder(), found.name().toString(), text);
  }
}
