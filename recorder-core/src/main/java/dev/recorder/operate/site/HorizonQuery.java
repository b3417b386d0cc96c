package dev.recorder.operate.site;

import dev.recorder.postgres.holders.XminHolder;
import dev.recorder.postgres.holders.XminHolderQuery;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Finds the oldest holder of old row versions, and since when it holds them, as far as this role
 * may see that.
 */
final class HorizonQuery {
  /** Members of pg_read_all_stats see the times of other roles' sessions. */
  private static final Sql SINCE =
      Sql.of(
          """
          SELECT min(since) FROM (
            SELECT xact_start AS since FROM pg_stat_activity
            WHERE :xmin::text::xid IN (backend_xmin, backend_xid) AND datname = current_database()
            UNION ALL
            SELECT prepared FROM pg_prepared_xacts
            WHERE transaction = :xmin::text::xid AND database = current_database()
          ) holders
          """);

  Optional<HorizonFacts> oldest(Connection connection) throws SQLException {
    Optional<XminHolder> holder = XminHolderQuery.oldest(connection);
    if (holder.isEmpty()) {
      return Optional.empty();
    }
    try (SqlStatement statement = SINCE.on(connection)) {
      OffsetDateTime since =
          statement
              .set("xmin", holder.get().xmin())
              .first(row -> row.getObject(1, OffsetDateTime.class))
              .orElse(null);
      return Optional.of(
          new HorizonFacts(holder.get().what(), since == null ? null : since.toInstant()));
    }
  }
}
