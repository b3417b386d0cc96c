package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * A commit that could follow, and the files that it names: they must be in the bucket before it is.
 *
 * @param files their keys and bytes; a key has the hash of its bytes
 * @param actions the first says who made the commit, in words that no other commit has
 */
record Proposal(Map<String, byte[]> files, List<ObjectNode> actions) {
  Proposal {
    files = Map.copyOf(files);
    actions = List.copyOf(actions);
  }

  /** The commit's bytes. */
  byte[] commit() {
    StringBuilder lines = new StringBuilder();
    actions.forEach(action -> lines.append(action).append('\n'));
    return lines.toString().getBytes(UTF_8);
  }
}
