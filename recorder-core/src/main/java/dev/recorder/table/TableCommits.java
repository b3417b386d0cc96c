package dev.recorder.table;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the commits that create a table and append to it. Pure.
 *
 * @param name the table's name in its metadata; null for none
 * @param byDay whether files are divided by day
 */
record TableCommits(TablePlace place, @Nullable String name, boolean byDay, CommitInfo info) {

  /**
   * Returns the first commit of a table.
   *
   * @param covered the last slot before those that will be in the table
   */
  Proposal creation(TableColumns columns, long covered) {
    ObjectNode protocol = DeltaJson.object();
    protocol.put("minReaderVersion", 1).put("minWriterVersion", 2);
    ObjectNode metaData = DeltaJson.object();
    metaData.put("id", place.id().toString());
    if (name != null) {
      metaData.put("name", name);
    }
    metaData.putObject("format").put("provider", "parquet").putObject("options");
    metaData.put("schemaString", columns.schema(byDay));
    ArrayNode partition = metaData.putArray("partitionColumns");
    if (byDay) {
      partition.add(columns.day());
    }
    metaData
        .putObject("configuration")
        .put("delta.appendOnly", "true")
        .put("delta.checkpointInterval", Integer.toString(TableWriter.CHECKPOINT_EVERY))
        // A host that was frozen for weeks must not mistake a deleted commit for the table's end.
        .put("delta.enableExpiredLogCleanup", "false");
    metaData.put("createdTime", info.clock().millis());
    return new Proposal(
        Map.of(),
        List.of(
            info.create(),
            DeltaJson.object().set("protocol", protocol),
            DeltaJson.object().set("metaData", metaData),
            transaction(covered)));
  }

  /** Returns the commit that appends a file. */
  Proposal append(DeltaState state, TableColumns columns, RowsFile.Finished finished) {
    TableFile file = finished.file();
    List<ObjectNode> actions = new ArrayList<>();
    actions.add(info.write(file, finished.misfits()));
    if (!columns.equals(state.columns())) {
      ObjectNode metaData = state.metaData().deepCopy();
      metaData.put("schemaString", columns.schema(byDay));
      actions.add(DeltaJson.object().set("metaData", metaData));
    }
    actions.add(transaction(file.lastSlot()));
    actions.add(file.add(columns, info.clock().millis(), true));
    return new Proposal(Map.of(place.layout().fileKey(file.path()), finished.bytes()), actions);
  }

  /** Returns the commit that says that slots have expired before the table had them. */
  Proposal skip(long from, long to) {
    return new Proposal(Map.of(), List.of(info.skip(from, to), transaction(to)));
  }

  private ObjectNode transaction(long last) {
    ObjectNode txn = DeltaJson.object();
    txn.put("appId", place.id().toString()).put("version", last);
    txn.put("lastUpdated", info.clock().millis());
    return DeltaJson.object().set("txn", txn);
  }
}
