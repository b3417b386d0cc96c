package dev.recorder.app.soak;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which host is the primary of which recorder, as the operator wants it: a flip changes the files
 * of two hosts and sends SIGHUP to both. Thread-safe.
 */
final class Preferences {
  private final Cluster cluster;
  private final List<Host> hosts;
  private final List<String> recorders;
  private final int[] primaries;

  /** At first each host is the primary of the recorder of its index, and of those that are over. */
  Preferences(Cluster cluster, List<Host> hosts, List<String> recorders) {
    this.cluster = cluster;
    this.hosts = hosts;
    this.recorders = recorders;
    this.primaries = new int[recorders.size()];
    for (int i = 0; i < primaries.length; i++) {
      primaries[i] = i % hosts.size();
    }
  }

  /** Makes another host the primary of a recorder; it stays so until the next flip. */
  synchronized Optional<Struck> flip(Drawn drawn) {
    int recorder = drawn.recorder();
    int before = primaries[recorder];
    int after = drawn.host() == before ? (before + 1) % hosts.size() : drawn.host();
    return Optional.of(new Struck(flip(recorder, after), () -> {}));
  }

  /**
   * Makes another host the primary that is none of these; empty if there is none. One that is the
   * primary already may wait for minutes, after many faults, until it has the recorder back; who
   * becomes it has it at once.
   */
  synchronized Optional<String> toOtherThan(Set<String> these, String recorder) {
    int index = recorders.indexOf(recorder);
    return IntStream.range(0, hosts.size())
        .filter(host -> host != primaries[index] && !these.contains(hosts.get(host).name()))
        .mapToObj(host -> flip(index, host))
        .findFirst();
  }

  private String flip(int recorder, int after) {
    int before = primaries[recorder];
    primaries[recorder] = after;
    List.of(before, after).forEach(this::tell);
    return recorders.get(recorder)
        + " to "
        + hosts.get(after).name()
        + " from "
        + hosts.get(before).name();
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
