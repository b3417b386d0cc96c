package dev.recorder.postgres.holders;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The keys, besides lockids, by which hosts exclude each other from work on a recorder. */
public final class RecorderLockKeys {
  private static final String RECORDERS =
      "SELECT recorder, lock_id FROM {lock_recorders} ORDER BY lock_id";

  private RecorderLockKeys() {}

  /** Returns the key that the host which maintains a recorder's captures holds. */
  public static AdvisoryLockKey ofCaptures(String recorder) {
    return AdvisoryLockKey.ofHash(
        "the key of the captures of " + recorder, "captures of " + recorder, 0);
  }

  /** Returns the foreign holders of these keys and of the given lockids. */
  public static List<LockHolder> foreignHolders(
      Connection connection, SchemaNames schemas, Set<Integer> lockIds) throws SQLException {
    List<AdvisoryLockKey> keys = of(connection, schemas);
    lockIds.forEach(lockId -> keys.add(AdvisoryLockKey.ofLockId(schemas, lockId)));
    return LockHolders.foreignHolders(connection, keys);
  }

  private static List<AdvisoryLockKey> of(Connection connection, SchemaNames schemas)
      throws SQLException {
    List<AdvisoryLockKey> keys = new ArrayList<>();
    try (SqlStatement statement = Sql.in(schemas, RECORDERS).on(connection)) {
      statement
          .all(
              row ->
                  List.of(
                      AdvisoryLockKey.ofWaiters(schemas, row.getString(1), row.getInt(2)),
                      ofCaptures(row.getString(1))))
          .forEach(keys::addAll);
    }
    return keys;
  }
}
