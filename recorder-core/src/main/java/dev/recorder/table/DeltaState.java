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

/** What the commits of a table say, up to one of them. For one thread. */
final class DeltaState {
  /** Highest versions of the protocol that are understood here. */
  private static final int READER = 1;

  private static final int WRITER = 2;

  private final UUID log;
  private final Map<String, ObjectNode> files = new LinkedHashMap<>();
  private final Map<String, ObjectNode> removed = new LinkedHashMap<>();
  private final Map<String, ObjectNode> transactions = new LinkedHashMap<>();
  private @Nullable ObjectNode protocol;
  private @Nullable ObjectNode metaData;
  private long version = -1;

  /** The table of this log, before its first commit. */
  DeltaState(UUID log) {
    this.log = log;
  }

  /** What a checkpoint says; the commits that follow are to be applied. */
  static DeltaState of(UUID log, long version, List<ObjectNode> actions) {
    DeltaState state = new DeltaState(log);
    actions.forEach(state::apply);
    state.version = version;
    return state;
  }

  /**
   * Takes the next commit.
   *
   * @throws IllegalArgumentException if it is none
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

  /** The number of the last commit; -1 if there is none. */
  long version() {
    return version;
  }

  boolean isThere() {
    return version >= 0;
  }

  /** The last slot whose rows are in the table. */
  long covered() {
    ObjectNode txn = transactions.get(log.toString());
    return txn == null ? 0 : txn.path("version").asLong();
  }

  /** Why nothing may be written to it; empty if that is allowed. */
  String obstacle() {
    if (!isThere()) {
      return "";
    }
    if (protocol == null || metaData == null) {
      return "its first commits are missing";
    }
    if (!metaData.path("id").asText().equals(log.toString())
        || !transactions.containsKey(log.toString())) {
      return "it is not the table of log "
          + log
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
   * Its typed columns.
   *
   * @throws IllegalArgumentException if somebody else has changed its columns
   */
  TableColumns columns() {
    return metaData == null
        ? TableColumns.NONE
        : TableColumns.ofSchema(metaData.path("schemaString").asText(), isByDay());
  }

  /** The action that makes it, once it is there. */
  ObjectNode metaData() {
    if (metaData == null) {
      throw new IllegalStateException("the table is not there");
    }
    return metaData;
  }

  /** The actions that add its files. */
  Collection<ObjectNode> files() {
    return Collections.unmodifiableCollection(files.values());
  }

  /**
   * What a checkpoint has to say.
   *
   * @param since files that were removed before, in milliseconds, need not be named any more
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
