package dev.recorder.schema;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.Setup.Wanted;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which recorders have the hand-off table that they need: a missing one is made where the role may.
 *
 * <p>What a table or the rights on it lack keeps its own recorder from running here, and no other:
 * a host that starts again at night goes on with the rest. Where it keeps all of them, the host has
 * nothing to do, and ends with the SQL to run.
 */
final class HandoffAdmission {
  private final SchemaNames names;
  private final MissingTables missing;
  private final TakenNames taken;

  HandoffAdmission(SchemaNames names, MissingTables missing) {
    this.names = names;
    this.missing = missing;
    this.taken = new TakenNames(names);
  }

  /**
   * Why recorders must not run here; those that may are not in it.
   *
   * @throws DatabaseException with kind RIGHTS and the SQL to run, if for want of it none may
   */
  Map<Wanted, String> refusals(Connection connection, List<Wanted> wanted) throws SQLException {
    Map<Wanted, String> refusals = new HashMap<>();
    Optional<DatabaseException> unmade = Optional.empty();
    for (Wanted recorder : wanted) {
      String clash = taken.refusal(connection, recorder.table());
      if (!clash.isEmpty()) {
        refusals.put(recorder, clash);
        continue;
      }
      try {
        missing.createHandoff(connection, recorder.table());
      } catch (DatabaseException e) {
        if (e.kind() != Kind.RIGHTS) {
          throw e;
        }
        refusals.put(recorder, withoutSql(e));
        unmade = unmade.or(() -> Optional.of(e));
      }
    }
    List<Wanted> made =
        wanted.stream().filter(recorder -> !refusals.containsKey(recorder)).toList();
    if (unmade.isPresent() && made.isEmpty()) {
      throw unmade.get();
    }
    refuseWithoutRights(connection, made, refusals);
    return refusals;
  }

  /** One statement for all of them, unless some lack something. */
  private void refuseWithoutRights(
      Connection connection, List<Wanted> made, Map<Wanted, String> refusals) throws SQLException {
    Rights all = rights(made);
    if (all.missing(connection).isEmpty()) {
      return;
    }
    int before = refusals.size();
    for (Wanted recorder : made) {
      try {
        rights(List.of(recorder)).require(connection);
      } catch (DatabaseException lacking) {
        refusals.put(recorder, inOneLine(lacking));
      }
    }
    if (refusals.size() - before == made.size()) {
      all.require(connection);
    }
  }

  private Rights rights(List<Wanted> wanted) {
    return Rights.handoff(
        names,
        wanted.stream()
            .map(w -> new HandoffUse(w.recorder(), w.kind(), w.handoff().ticks(), false))
            .toList());
  }

  /** To make a table takes many lines, which {@code recorder schema} prints. */
  private static String withoutSql(DatabaseException e) {
    return message(e).lines().findFirst().orElse("").replace(", or at least:", "");
  }

  private static String inOneLine(DatabaseException e) {
    return message(e).replace('\n', ' ');
  }

  private static String message(DatabaseException e) {
    return String.valueOf(e.getMessage());
  }
}
