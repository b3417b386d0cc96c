package dev.recorder.app.soak;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which host is the primary of which recorder, as the operator wants it: a flip changes the files
 * of two hosts and sends SIGHUP to both. Thread-safe.
 */
final class Preferences {
  private final Cluster cluster;
  private final List<Host> hosts;
  private final List<String> recorders;
  private final int[] primaries;

  /** At first each host is the primary of the recorder of its index. */
  Preferences(Cluster cluster, List<Host> hosts, List<String> recorders) {
    this.cluster = cluster;
    this.hosts = hosts;
    this.recorders = recorders;
    this.primaries = new int[recorders.size()];
    for (int i = 0; i < primaries.length; i++) {
      primaries[i] = i;
    }
  }

  /** Makes another host the primary of a recorder; it stays so until the next flip. */
  synchronized Optional<Struck> flip(Drawn drawn) {
    int recorder = drawn.recorder();
    int before = primaries[recorder];
    int after = drawn.host() == before ? (before + 1) % hosts.size() : drawn.host();
    primaries[recorder] = after;
    List.of(before, after).forEach(this::tell);
    String whom =
        recorders.get(recorder)
            + " to "
            + hosts.get(after).name()
            + " from "
            + hosts.get(before).name();
    return Optional.of(new Struck(whom, () -> {}));
  }

  private void tell(int host) {
    Set<String> primaryFor = new HashSet<>();
    for (int i = 0; i < primaries.length; i++) {
      if (primaries[i] == host) {
        primaryFor.add(recorders.get(i));
      }
    }
    cluster.prefer(hosts.get(host), primaryFor);
    try {
      hosts.get(host).hangUp();
    } catch (IllegalStateException notRunning) {
      // Then it reads the file when it starts.
    }
  }
}
