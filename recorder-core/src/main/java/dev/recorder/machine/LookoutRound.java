package dev.recorder.machine;

import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.Sighting.SnapshotLook;
import dev.recorder.slotlog.postgres.LookoutSession;
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

/** Looks for some posts after the other, on one session. For one thread. */
final class LookoutRound {
  static final int MOST_LOGS = 100;

  /** A table may be replaced by another, with another counter. */
  private static final Duration FIND_COUNTERS_AGAIN = Duration.ofSeconds(10);

  private static final long NO_COUNTER = 0;

  private final LookoutSession session;
  private final List<Post> posts;
  private final Ticker ticker;
  private final LookoutPace pace;
  private final Map<RecorderName, Long> counters = new HashMap<>();
  private List<Post> lookedAt = List.of();
  private Set<RecorderName> known = Set.of();
  private long foundAt;
  private int first;

  /**
   * On a session that is open.
   *
   * @param posts come and go
   */
  LookoutRound(LookoutSession session, List<Post> posts, Ticker ticker) {
    this.session = session;
    this.posts = posts;
    this.ticker = ticker;
    this.foundAt = ticker.nanos();
    this.pace = new LookoutPace(foundAt);
  }

  /** Looks for those whose turn it is, and tells whoever waits for what is seen. */
  void look() {
    findCounters();
    List<Post> turn = turn();
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

  /** How long after a look the next one is due. */
  Duration pace() {
    return pace.at(ticker.nanos(), known.size() <= MOST_LOGS);
  }

  /** Waits for what is notified, for {@code limit} at most, and passes it on. */
  void listen(Duration limit) {
    List<String> heard = session.await(limit);
    if (!heard.isEmpty()) {
      posts.stream().filter(post -> heard.contains(post.recorder().value())).forEach(Post::hears);
    }
  }

  /** The next of those who wait, as many as one statement looks for. */
  private List<Post> turn() {
    List<Post> waiting = posts.stream().filter(Post::isAwaited).toList();
    if (waiting.size() <= MOST_LOGS) {
      return waiting;
    }
    int start = first % waiting.size();
    first = start + MOST_LOGS;
    return IntStream.range(start, first).mapToObj(i -> waiting.get(i % waiting.size())).toList();
  }

  private long counter(Post post) {
    return counters.getOrDefault(post.recorder(), NO_COUNTER);
  }

  /**
   * Of those who have come, and now and then of all. After a takeover of many they come in crowds,
   * look after look.
   */
  private void findCounters() {
    long now = ticker.nanos();
    boolean ofAll = now - foundAt >= FIND_COUNTERS_AGAIN.toNanos();
    List<Post> there = List.copyOf(posts);
    if (!ofAll && there.equals(lookedAt)) {
      return;
    }
    Set<RecorderName> names =
        there.stream().map(Post::recorder).collect(Collectors.toCollection(LinkedHashSet::new));
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
    for (Post post : posts) {
      RecorderName name = post.recorder();
      if (sought.contains(name) && !Objects.equals(counters.get(name), found.get(name))) {
        post.forget();
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
