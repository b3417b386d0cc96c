package dev.recorder.app.soak;

import dev.recorder.app.harness.Host;
import dev.recorder.testing.network.PostgresProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Faults of hosts and of their way to the database, one of either sort per host at a time, and the
 * service manager that starts again what has ended. Thread-safe.
 */
final class FaultyHosts {
  /** Clean stops take up to 6 s when S3 is slow. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(60);

  private final List<Host> hosts;
  private final IntFunction<Optional<String>> holders;
  private final Journal journal;
  private final Set<Host> processBusy = ConcurrentHashMap.newKeySet();
  private final Set<Host> networkBusy = ConcurrentHashMap.newKeySet();
  private final Set<Host> down = ConcurrentHashMap.newKeySet();
  private final List<Thaw> thaws = new ArrayList<>();

  private record Thaw(String host, long wallMillis) {}

  /**
   * @param holders name of the machine that was last seen to hold the recorder of that index
   */
  FaultyHosts(List<Host> hosts, IntFunction<Optional<String>> holders, Journal journal) {
    this.hosts = hosts;
    this.holders = holders;
    this.journal = journal;
  }

  Optional<Struck> kill(Drawn drawn) {
    // The second of two may meet a process that is frozen: SIGKILL does not wait for it.
    Optional<Host> victim = drawn.evil() ? anyRunning(drawn) : claim(drawn, processBusy);
    return victim.map(
        host -> {
          down.add(host);
          host.kill();
          return struck(host, processBusy, this::revive);
        });
  }

  Optional<Struck> freeze(Drawn drawn) {
    return claim(drawn, processBusy)
        .map(
            host -> {
              host.freeze();
              return struck(host, processBusy, this::thaw);
            });
  }

  Optional<Struck> stop(Drawn drawn) {
    return claim(drawn, processBusy)
        .map(
            host -> {
              down.add(host);
              host.terminate();
              return struck(host, processBusy, this::reviveStopped);
            });
  }

  Optional<Struck> disturb(Drawn drawn, Consumer<PostgresProxy> how) {
    return claim(drawn, networkBusy)
        .map(
            host -> {
              how.accept(host.database());
              return struck(host, networkBusy, Host::heal);
            });
  }

  private static Struck struck(Host host, Set<Host> busy, Consumer<Host> heal) {
    return new Struck(
        host.name(),
        () -> {
          heal.accept(host);
          busy.remove(host);
        });
  }

  /** Whether a host was thawed at most {@code within} milliseconds before then. */
  boolean thawedJustBefore(String host, long wallMillis, long within) {
    synchronized (thaws) {
      return thaws.stream()
          .filter(thaw -> thaw.host().equals(host))
          .mapToLong(thaw -> wallMillis - thaw.wallMillis())
          .anyMatch(since -> since >= 0 && since <= within);
    }
  }

  /** Starts what has ended and was not meant to; to be called every now and then. */
  void restartTheEnded() {
    for (Host host : hosts) {
      if (!host.isRunning() && !down.contains(host)) {
        int code = host.awaitExit(STOP_WITHIN);
        // 69 and 75 ask for a later try, and a service manager makes it; 129 is a SIGHUP that came
        // before the JVM could handle it.
        if (code == 69 || code == 75 || code == 129) {
          journal.say("%s ended with %d and is started again", host.name(), code);
        } else {
          journal.blame("%s ended by itself with exit code %d", host.name(), code);
        }
        revive(host);
      }
    }
  }

  private synchronized void revive(Host host) {
    if (!host.isRunning()) {
      host.start();
    }
    down.remove(host);
  }

  private void thaw(Host host) {
    synchronized (thaws) {
      thaws.add(new Thaw(host.name(), System.currentTimeMillis()));
    }
    try {
      host.thaw();
    } catch (IllegalStateException gone) {
      if (host.isRunning()) {
        throw gone;
      }
    }
  }

  private void reviveStopped(Host host) {
    try {
      int code = host.awaitExit(STOP_WITHIN);
      if (code != 0) {
        journal.say("%s ended with exit code %d", host.name(), code);
      }
    } catch (AssertionError tooLong) {
      journal.blame("%s did not end within %d s of SIGTERM", host.name(), STOP_WITHIN.toSeconds());
      host.dumpThreads();
      host.kill();
    }
    revive(host);
  }

  /** The name of the host that was drawn. */
  String meant(Drawn drawn) {
    return inOrder(drawn).get(0).name();
  }

  private Optional<Host> claim(Drawn drawn, Set<Host> busy) {
    return inOrder(drawn).stream().filter(host -> host.isRunning() && busy.add(host)).findFirst();
  }

  /** Rather one that nothing has befallen: it is about to take over from one that something has. */
  private Optional<Host> anyRunning(Drawn drawn) {
    List<Host> running = inOrder(drawn).stream().filter(Host::isRunning).toList();
    return running.stream()
        .filter(host -> !processBusy.contains(host) && !networkBusy.contains(host))
        .findFirst()
        .or(() -> running.stream().findFirst());
  }

  /** The one that was drawn, then the others. */
  private List<Host> inOrder(Drawn drawn) {
    int first = drawn.host();
    if (drawn.atHolder()) {
      String holder = holders.apply(drawn.recorder()).orElse("");
      for (int i = 0; i < hosts.size(); i++) {
        first = hosts.get(i).name().equals(holder) ? i : first;
      }
    }
    List<Host> order = new ArrayList<>(hosts.subList(first, hosts.size()));
    order.addAll(hosts.subList(0, first));
    return order;
  }
}
