package dev.recorder.leadership.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;

/**
 * What a machine tells of itself in {@code info_recorders}.
 *
 * @param lockIds of the recorders it has
 * @param primaryFor those of them whose primary it is
 * @param configHash of what its configuration shares with the other machines'
 * @param sectionHashes the same, by section
 */
public record Registration(
    Set<Integer> lockIds,
    Set<Integer> primaryFor,
    String version,
    String configHash,
    Map<String, String> sectionHashes) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public Registration {
    lockIds = Set.copyOf(lockIds);
    primaryFor = Set.copyOf(primaryFor);
    sectionHashes = Map.copyOf(sectionHashes);
  }

  int secondaries() {
    return lockIds.size() - primaryFor.size();
  }

  String sectionsJson() {
    ObjectNode node = JSON.createObjectNode();
    sectionHashes.forEach(node::put);
    return node.toString();
  }
}
