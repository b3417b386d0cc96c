package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The wanted hand-off table of a recorder.
 *
 * @param maxPayload the largest accepted payload in bytes
 */
public record HandoffTable(RecorderName recorder, RecorderKind kind, long maxPayload) {
  /** The most bytes of an entity id; neither an index nor S3 could hold a longer one. */
  public static final int LONGEST_ENTITY = 1024;

  /**
   * SQL for a digest that distinguishes a request from others with the same id. After a failover, a
   * restore or a TRUNCATE a table may repeat ids. The time of the insert, which producers cannot
   * write, then differs. The digest does not change while the row exists.
   */
  public static final String REQUEST_DIGEST =
      """
      hashtextextended(coalesce(payload::text, ''),
        hashtextextended(concat_ws(' ', id, request_type, extract(epoch FROM created_at),
          entity_id), 0))""";

  /** Whether an index and S3 can hold this entity id. */
  public static boolean isIndexable(String entity) {
    return entity.getBytes(StandardCharsets.UTF_8).length <= LONGEST_ENTITY;
  }

  /** Returns statements that create the table, to be sent together; they may be run again. */
  public String create(SchemaNames names) {
    return script(names).create(maxPayload);
  }

  HandoffScript script(SchemaNames names) {
    return new HandoffScript(names, recorder, kind);
  }

  /** Returns why the recorder cannot have the table, with the remedy; empty if it can. */
  public String conflict(Connection connection, SchemaNames names) throws SQLException {
    return new NameConflicts(names).ofTable(connection, this);
  }

  /**
   * Returns the names of the index or primary key, and of the sequence, that belong to a recorder's
   * table and could equal another recorder's name.
   */
  public static List<String> namesThatComeWith(RecorderName recorder, RecorderKind kind) {
    return List.of(
        recorder + (kind == RecorderKind.LOG ? "_xid_id" : "_pkey"), recorder + "_id_seq");
  }
}
