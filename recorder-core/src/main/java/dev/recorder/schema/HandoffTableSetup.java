package dev.recorder.schema;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.Setup.WantedRecorder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the recorders that have their hand-off table, and creates missing tables where the role
 * may.
 *
 * <p>Problems of a table, or of the rights on it, stop only its own recorder; a host that restarts
 * continues with the others.
 */
final class HandoffTableSetup {
  private final SchemaNames names;
  private final TableCreation missing;
  private final NameConflicts taken;

  HandoffTableSetup(SchemaNames names, TableCreation missing) {
    this.names = names;
    this.missing = missing;
    this.taken = new NameConflicts(names);
  }

  /**
   * The result of a look.
   *
   * @param refusals why recorders must not run here, in one line each; recorders that may run are
   *     absent
   * @param forAll the failure with the SQL to run, if no recorder may run for lack of rights
   */
  record Admitted(Map<WantedRecorder, String> refusals, Optional<DatabaseException> forAll) {}

  Admitted look(Connection connection, List<WantedRecorder> wanted) throws SQLException {
    Map<WantedRecorder, String> refusals = new HashMap<>();
    List<DatabaseException> lacking = new ArrayList<>();
    for (WantedRecorder recorder : wanted) {
      String clash = taken.refusal(connection, recorder.table());
      if (clash.isEmpty()) {
        unmade(connection, recorder)
            .ifPresent(
                why -> {
                  refusals.put(recorder, Setup.inOneLine(why));
                  lacking.add(why);
                });
      } else {
        refusals.put(recorder, clash);
      }
    }
    List<WantedRecorder> made = wanted.stream().filter(w -> !refusals.containsKey(w)).toList();
    Optional<DatabaseException> rights = lacked(connection, made);
    if (rights.isPresent()) {
      lacking.add(rights.get());
      for (WantedRecorder recorder : made) {
        lacked(connection, List.of(recorder))
            .ifPresent(why -> refusals.put(recorder, Setup.inOneLine(why)));
      }
    }
    boolean none = refusals.size() == wanted.size() && !lacking.isEmpty();
    return new Admitted(refusals, none ? Optional.of(inOne(lacking)) : Optional.empty());
  }

  private Optional<DatabaseException> unmade(Connection connection, WantedRecorder recorder)
      throws SQLException {
    try {
      missing.createHandoff(connection, recorder.table());
      return Optional.empty();
    } catch (DatabaseException e) {
      return ofRights(e);
    }
  }

  /** Checks the rights of all recorders in one statement. */
  private Optional<DatabaseException> lacked(Connection connection, List<WantedRecorder> made)
      throws SQLException {
    Rights rights =
        Rights.handoff(
            names,
            made.stream()
                .map(w -> new HandoffUse(w.recorder(), w.kind(), w.handoff().ticks(), false))
                .toList());
    try {
      rights.require(connection);
      return Optional.empty();
    } catch (DatabaseException e) {
      return ofRights(e);
    }
  }

  private static Optional<DatabaseException> ofRights(DatabaseException e) {
    if (e.kind() != DatabaseErrorKind.RIGHTS) {
      throw e;
    }
    return Optional.of(e);
  }

  private static DatabaseException inOne(List<DatabaseException> lacking) {
    return lacking.size() == 1
        ? lacking.get(0)
        : new DatabaseException(
            DatabaseErrorKind.RIGHTS,
            lacking.stream().map(DatabaseException::getMessage).collect(Collectors.joining("\n")),
            lacking.get(0));
  }
}
