package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A recorder's hand-off table, as it is wanted.
 *
 * @param maxPayload the largest payload that it lets in, in bytes
 */
public record HandoffTable(RecorderName recorder, RecorderKind kind, long maxPayload) {
  /** Most bytes of an entity id: an index could hold no longer one, and S3 neither. */
  public static final int LONGEST_ENTITY = 1024;

  /**
   * SQL that tells a request from any other with its id. After a failover, a restore or a TRUNCATE
   * a table gives ids again; the time of the insert, which producers may not write, is another one
   * then. It does not change while the row is there.
   */
  public static final String REQUEST_DIGEST =
      """
      hashtextextended(coalesce(payload::text, ''),
        hashtextextended(concat_ws(' ', id, request_type, extract(epoch FROM created_at),
          entity_id), 0))""";

  /** Whether an index could hold an entity id, and S3. */
  public static boolean isIndexable(String entity) {
    return entity.getBytes(StandardCharsets.UTF_8).length <= LONGEST_ENTITY;
  }

  /** Statements that create it, to be sent in one go; they may be run again. */
  public String create(SchemaNames names) {
    return script(names).create(maxPayload);
  }

  HandoffScript script(SchemaNames names) {
    return new HandoffScript(names, recorder, kind);
  }

  /**
   * Names that come with a recorder's table and could be those of other recorders: of its index or
   * primary key, and of the sequence of its ids.
   */
  public static List<String> namesThatComeWith(RecorderName recorder, RecorderKind kind) {
    return List.of(
        recorder + (kind == RecorderKind.LOG ? "_xid_id" : "_pkey"), recorder + "_id_seq");
  }
}
