package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import java.util.List;

/**
 * A recorder's hand-off table, as it is wanted.
 *
 * @param maxPayload the largest payload that it lets in, in bytes
 */
public record HandoffTable(RecorderName recorder, RecorderKind kind, long maxPayload) {
  /** Statements that create it; each may be run again. */
  public List<String> create(SchemaNames names) {
    return kind == RecorderKind.LOG
        ? new LogTable(names, recorder).create(maxPayload)
        : new RequestTable(names, recorder).create(maxPayload);
  }

  /** Rights on it of {@code role}, the one role of all machines, quoted. */
  List<String> grants(SchemaNames names, String role) {
    return kind == RecorderKind.LOG
        ? new LogTable(names, recorder).grants(role)
        : new RequestTable(names, recorder).grants(role);
  }

  /** Rights of producers on it, not on its schema. */
  List<String> grantToProducers(SchemaNames names) {
    return kind == RecorderKind.LOG
        ? new LogTable(names, recorder).grantToProducers()
        : new RequestTable(names, recorder).grantToProducers();
  }

  /** Names that its indexes must have in its schema. */
  List<String> indexes() {
    return kind == RecorderKind.LOG ? LogTable.indexes(recorder) : RequestTable.indexes(recorder);
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
