package dev.recorder.clearing.race;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.store.ObjectStore;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which rows producers have committed, by key, and which the objects have. Thread-safe. */
final class Truth {
  private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]*)\"");

  private final ObjectStore store;
  private final AtomicLong keys = new AtomicLong();
  private final Set<String> committed = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> recorded = new ConcurrentHashMap<>();
  private long slot;

  Truth(ObjectStore store) {
    this.store = store;
  }

  /** A key that no row has. */
  String newKey() {
    return "row" + keys.incrementAndGet();
  }

  void committed(Collection<String> keysOfRows) {
    committed.addAll(keysOfRows);
  }

  long rows() {
    return committed.size();
  }

  /** Reads what objects have come; slots come one after the other, and never change. */
  synchronized void read() {
    while (store.get(RebaseSite.LAYOUT.slotKey(slot + 1)) instanceof ObjectStore.Body body) {
      slot++;
      Matcher line = KEY.matcher(new String(body.bytes(), UTF_8));
      while (line.find()) {
        recorded.merge(line.group(1), 1, Integer::sum);
      }
    }
  }

  boolean isRecorded(String key) {
    return recorded.containsKey(key);
  }

  /** Committed rows that are in no object. */
  Set<String> lost() {
    Set<String> lost = new TreeSet<>(committed);
    lost.removeAll(recorded.keySet());
    return lost;
  }

  /** Rows that are in objects more than once. */
  Set<String> doubled() {
    Set<String> doubled = new TreeSet<>(recorded.keySet());
    doubled.removeIf(key -> recorded.getOrDefault(key, 0) < 2);
    return doubled;
  }

  /** Rows in objects that nobody has committed. */
  Set<String> strays() {
    Set<String> strays = new TreeSet<>(recorded.keySet());
    strays.removeAll(committed);
    return strays;
  }
}
