package dev.recorder.leadership.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;

/**
 * The registration of a host in {@code info_recorders}.
 *
 * @param lockIds lock ids of the host's recorders
 * @param primaryFor lock ids of the recorders whose primary it is
 * @param configHash hash of the part of its configuration that all hosts share
 * @param sectionHashes the hashes of that part, by section
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
