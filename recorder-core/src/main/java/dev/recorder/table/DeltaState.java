package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The state of a table after some commit. For one thread. */
final class DeltaState {
  /** Highest supported versions of Delta's protocol. */
  private static final int READER = 1;

  private static final int WRITER = 2;

  private final UUID id;
  private final Map<String, ObjectNode> files = new LinkedHashMap<>();
  private final Map<String, ObjectNode> removed = new LinkedHashMap<>();
  private final Map<String, ObjectNode> transactions = new LinkedHashMap<>();
  private @Nullable ObjectNode protocol;
  private @Nullable ObjectNode metaData;
  private long version = -1;

  /** Creates the state of a table before its first commit. */
  DeltaState(UUID id) {
    this.id = id;
  }

  /** Returns the state in a checkpoint. Later commits must still be applied. */
  static DeltaState of(UUID id, long version, List<ObjectNode> actions) {
    DeltaState state = new DeltaState(id);
    actions.forEach(state::apply);
    state.version = version;
    return state;
  }

  /**
   * Applies the next commit.
   *
   * @throws IllegalArgumentException if the bytes are no commit
   */
  void apply(byte[] commit) {
    List<JsonNode> actions = new ArrayList<>();
    new String(commit, UTF_8)
        .lines()
        .filter(line -> !line.isBlank())
        .forEach(line -> actions.add(DeltaJson.parse(line)));
    actions.forEach(this::apply);
    version++;
  }

  private void apply(JsonNode action) {
    if (action.get("add") instanceof ObjectNode add) {
      removed.remove(path(add));
      files.put(path(add), add);
    } else if (action.get("remove") instanceof ObjectNode remove) {
      files.remove(path(remove));
      removed.put(path(remove), remove);
    } else if (action.get("txn") instanceof ObjectNode txn) {
      transactions.put(txn.path("appId").asText(), txn);
    } else if (action.get("metaData") instanceof ObjectNode changed) {
      metaData = changed;
    } else if (action.get("protocol") instanceof ObjectNode changed) {
      protocol = changed;
    }
  }

  private static String path(JsonNode action) {
    return action.path("path").asText();
  }

  /** Returns the number of the last commit; -1 if there is none. */
  long version() {
    return version;
  }

  boolean isThere() {
    return version >= 0;
  }

  /**
   * Returns the last slot that the table covers. Slots that had expired before the table had them
   * also count as covered.
   */
  long covered() {
    ObjectNode txn = transactions.get(id.toString());
    return txn == null ? 0 : txn.path("version").asLong();
  }

  /** Returns why the table must not be written to; empty if it may be. */
  String obstacle() {
    if (!isThere()) {
      return "";
    }
    if (protocol == null || metaData == null) {
      return "its first commits are missing";
    }
    if (!metaData.path("id").asText().equals(id.toString())
        || !transactions.containsKey(id.toString())) {
      return "its id is not "
          + id
          + ": another log has this place, or somebody else has made the table";
    }
    if (protocol.path("minReaderVersion").asInt() > READER
        || protocol.path("minWriterVersion").asInt() > WRITER) {
      return "somebody has raised its protocol to a version that recorders do not write: "
          + protocol;
    }
    return "";
  }

  boolean isByDay() {
    return metaData != null && !metaData.path("partitionColumns").isEmpty();
  }

  /**
   * Returns the table's typed columns.
   *
   * @throws IllegalArgumentException if another program has changed the columns
   */
  TableColumns columns() {
    return metaData == null
        ? TableColumns.NONE
        : TableColumns.ofSchema(metaData.path("schemaString").asText(), isByDay());
  }

  /** Returns the table's {@code metaData} action. */
  ObjectNode metaData() {
    if (metaData == null) {
      throw new IllegalStateException("the table is not there");
    }
    return metaData;
  }

  /** Returns the actions that add the table's files. */
  Collection<ObjectNode> files() {
    return Collections.unmodifiableCollection(files.values());
  }

  /**
   * Returns the actions of a checkpoint.
   *
   * @param since time in milliseconds; files removed before are left out
   */
  List<ObjectNode> actions(long since) {
    List<ObjectNode> all = new ArrayList<>();
    if (protocol != null && metaData != null) {
      all.add(DeltaJson.object().set("protocol", protocol));
      all.add(DeltaJson.object().set("metaData", metaData));
    }
    transactions.values().forEach(txn -> all.add(DeltaJson.object().set("txn", txn)));
    files
        .values()
        .forEach(
            add -> all.add(DeltaJson.object().set("add", add.deepCopy().put("dataChange", false))));
    for (ObjectNode remove : removed.values()) {
      if (remove.path("deletionTimestamp").asLong() >= since) {
        all.add(DeltaJson.object().set("remove", remove.deepCopy().put("dataChange", false)));
      }
    }
    return all;
  }
}
