package dev.recorder.machine.poll;

import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.SequenceObservation.SnapshotLook;
import dev.recorder.slotlog.postgres.PollSession;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Looks for new rows of the logs in turn, on one session. For one thread. */
final class PollRound {
  static final int MOST_LOGS = 100;

  /**
   * How often all counters are looked up again, since a table may be replaced by another with
   * another counter.
   */
  private static final Duration FIND_COUNTERS_AGAIN = Duration.ofSeconds(10);

  private static final long NO_COUNTER = 0;

  private final PollSession session;
  private final List<RowSignal> signals;
  private final Ticker ticker;
  private final PollPace pace;
  private final Map<RecorderName, Long> counters = new HashMap<>();
  private List<RowSignal> lookedAt = List.of();
  private Set<RecorderName> known = Set.of();
  private long foundAt;
  private int first;

  /**
   * Creates the rounds on an open session.
   *
   * @param signals of the logs; the list changes as logs come and go
   */
  PollRound(PollSession session, List<RowSignal> signals, Ticker ticker) {
    this.session = session;
    this.signals = signals;
    this.ticker = ticker;
    this.foundAt = ticker.nanos();
    this.pace = new PollPace(foundAt);
  }

  /** Looks at the logs whose turn it is, and tells the waiting writers whose rows may have come. */
  void look() {
    findCounters();
    List<RowSignal> turn = turn();
    if (!turn.isEmpty()) {
      List<SnapshotLook> looks = session.look(turn.stream().map(this::counter).toList());
      long now = ticker.nanos();
      for (int i = 0; i < turn.size(); i++) {
        if (turn.get(i).sees(looks.get(i), now)) {
          pace.news(now);
        }
      }
    }
  }

  /** Returns how long after the beginning of a look the next one is due. */
  Duration pace() {
    return pace.at(ticker.nanos(), known.size() <= MOST_LOGS);
  }

  /** Waits for notifications, for {@code limit} at most, and passes them on. */
  void listen(Duration limit) {
    List<String> heard = session.await(limit);
    if (!heard.isEmpty()) {
      signals.stream()
          .filter(signal -> heard.contains(signal.recorder().value()))
          .forEach(RowSignal::hears);
    }
  }

  /** Returns the next waiting logs, at most as many as one statement covers. */
  private List<RowSignal> turn() {
    List<RowSignal> waiting = signals.stream().filter(RowSignal::isAwaited).toList();
    if (waiting.size() <= MOST_LOGS) {
      return waiting;
    }
    int start = first % waiting.size();
    first = start + MOST_LOGS;
    return IntStream.range(start, first).mapToObj(i -> waiting.get(i % waiting.size())).toList();
  }

  private long counter(RowSignal signal) {
    return counters.getOrDefault(signal.recorder(), NO_COUNTER);
  }

  /**
   * Finds the counters of new logs, and periodically of all. After a takeover of many recorders new
   * logs arrive in groups, over several looks.
   */
  private void findCounters() {
    long now = ticker.nanos();
    boolean ofAll = now - foundAt >= FIND_COUNTERS_AGAIN.toNanos();
    List<RowSignal> there = List.copyOf(signals);
    if (!ofAll && there.equals(lookedAt)) {
      return;
    }
    Set<RecorderName> names =
        there.stream()
            .map(RowSignal::recorder)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    boolean changed = !names.equals(known);
    if (!changed && !ofAll) {
      lookedAt = there;
      return;
    }
    Set<RecorderName> come = allBut(names, known);
    Set<RecorderName> gone = allBut(known, names);
    if (changed) {
      session.listen(come, gone);
      pace.news(now);
    }
    Set<RecorderName> sought = ofAll ? names : come;
    Map<RecorderName, Long> found = sought.isEmpty() ? Map.of() : session.counters(sought);
    for (RowSignal signal : signals) {
      RecorderName name = signal.recorder();
      if (sought.contains(name) && !Objects.equals(counters.get(name), found.get(name))) {
        signal.forget();
      }
    }
    counters.keySet().removeAll(gone);
    counters.keySet().removeAll(sought);
    counters.putAll(found);
    known = names;
    lookedAt = there;
    foundAt = ofAll ? now : foundAt;
  }

  private static Set<RecorderName> allBut(Set<RecorderName> names, Set<RecorderName> others) {
    Set<RecorderName> rest = new LinkedHashSet<>(names);
    rest.removeAll(others);
    return rest;
  }
}
