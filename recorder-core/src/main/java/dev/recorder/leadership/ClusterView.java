package dev.recorder.leadership;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one watch statement saw: all machines, and the recorders this machine has an interest in.
 */
public record ClusterView(Map<String, MachineView> machines, Map<Integer, RecorderView> recorders) {
  @Nullable MachineView machine(String name) {
    return machines.get(name);
  }
}
