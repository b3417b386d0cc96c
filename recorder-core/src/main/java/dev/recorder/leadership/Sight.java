package dev.recorder.leadership;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one watch statement saw: all machines, and the recorders this machine has an interest in.
 */
public record Sight(Map<String, MachineSight> machines, Map<Integer, RecorderSight> recorders) {
  @Nullable MachineSight machine(String name) {
    return machines.get(name);
  }
}
