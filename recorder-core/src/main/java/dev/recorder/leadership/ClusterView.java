package dev.recorder.leadership;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of one watch statement: all hosts, and the recorders that this host has. */
public record ClusterView(Map<String, MachineView> machines, Map<Integer, RecorderView> recorders) {
  @Nullable MachineView machine(String name) {
    return machines.get(name);
  }
}
