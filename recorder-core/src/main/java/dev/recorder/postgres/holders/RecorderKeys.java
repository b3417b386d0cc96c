package dev.recorder.postgres.holders;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The keys, besides lockids, by which hosts keep out of each other's way with a recorder. */
public final class RecorderKeys {
  private static final String RECORDERS =
      "SELECT recorder, lock_id FROM {lock_recorders} ORDER BY lock_id";

  private RecorderKeys() {}

  /** That of who looks after a recorder's captures. */
  public static OwnKey ofCaptures(String recorder) {
    return OwnKey.ofHash("the key of the captures of " + recorder, "captures of " + recorder, 0);
  }

  /** Who is no recorder, and holds one of these keys or of some lockids. */
  public static List<LockHolder> foreignHolders(
      Connection connection, SchemaNames schemas, Set<Integer> lockIds) throws SQLException {
    List<OwnKey> keys = of(connection, schemas);
    lockIds.forEach(lockId -> keys.add(OwnKey.ofLockId(schemas, lockId)));
    return LockHolders.foreignHolders(connection, keys);
  }

  /** Of all recorders that there are. */
  private static List<OwnKey> of(Connection connection, SchemaNames schemas) throws SQLException {
    List<OwnKey> keys = new ArrayList<>();
    try (SqlStatement statement = Sql.in(schemas, RECORDERS).on(connection)) {
      statement
          .all(
              row ->
                  List.of(
                      OwnKey.ofWaiters(schemas, row.getString(1), row.getInt(2)),
                      ofCaptures(row.getString(1))))
          .forEach(keys::addAll);
    }
    return keys;
  }
}
