package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * A possible next commit, and the files that it names. The files must be in the bucket before the
 * commit.
 *
 * @param files bytes of the files by key; a key contains the hash of its bytes
 * @param actions the commit's actions; the first is its {@code commitInfo}, which is unique
 */
record Proposal(Map<String, byte[]> files, List<ObjectNode> actions) {
  Proposal {
    files = Map.copyOf(files);
    actions = List.copyOf(actions);
  }

  /** Returns the commit's bytes. */
  byte[] commit() {
    StringBuilder lines = new StringBuilder();
    actions.forEach(action -> lines.append(action).append('\n'));
    return lines.toString().getBytes(UTF_8);
  }
}
