package dev.recorder.machine;

import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.Sighting.Look;
import dev.recorder.slotlog.postgres.LookoutSession;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private List<RecorderName> known = List.of();
  private Map<RecorderName, Long> counters = Map.of();
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
  }

  /** Looks for those whose turn it is, and tells whoever waits for what is seen. */
  void look() {
    findCounters();
    List<Post> turn = turn();
    if (!turn.isEmpty()) {
      List<Look> looks = session.look(turn.stream().map(this::counter).toList());
      long now = ticker.nanos();
      IntStream.range(0, turn.size()).forEach(i -> turn.get(i).sees(looks.get(i), now));
    }
  }

  /** Waits for what is notified, for {@code limit} at most, and passes it on. */
  void listen(Duration limit) {
    List<String> heard = session.await(limit);
    posts.stream().filter(post -> heard.contains(post.recorder().value())).forEach(Post::hears);
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

  private void findCounters() {
    List<RecorderName> names = posts.stream().map(Post::recorder).distinct().toList();
    boolean changed = !names.equals(known);
    long now = ticker.nanos();
    if (!changed && now - foundAt < FIND_COUNTERS_AGAIN.toNanos()) {
      return;
    }
    if (changed) {
      session.listen(names);
    }
    Map<RecorderName, Long> found = session.counters(names);
    for (Post post : posts) {
      if (!Objects.equals(counters.get(post.recorder()), found.get(post.recorder()))) {
        post.forget();
      }
    }
    known = names;
    counters = found;
    foundAt = now;
  }
}
