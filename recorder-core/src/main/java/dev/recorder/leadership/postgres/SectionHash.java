package dev.recorder.leadership.postgres;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a section of a machine's file says, told without its values: so machines can be compared.
 *
 * @param whole of all that machines should share of it; this alone decides whether two are the same
 * @param keys a short one of each key that is not at its default, to name those that differ
 */
public record SectionHash(String whole, SortedMap<String, String> keys) {
  public SectionHash {
    keys = new TreeMap<>(keys);
  }

  /** Reads what {@link #toString} writes; also what has no keys. */
  public static SectionHash parse(String text) {
    String[] words = text.split(" ");
    SortedMap<String, String> keys = new TreeMap<>();
    for (int i = 1; i < words.length; i++) {
      String[] pair = words[i].split("=", 2);
      keys.put(pair[0], pair.length > 1 ? pair[1] : "");
    }
    return new SectionHash(words[0], keys);
  }

  /** In which keys some of these differ; empty if none is known to. */
  public static SortedSet<String> unlike(Collection<SectionHash> all) {
    SortedSet<String> unlike = new TreeSet<>();
    for (SectionHash one : all) {
      for (SectionHash other : all) {
        for (Map.Entry<String, String> key : one.keys.entrySet()) {
          if (!Objects.equals(key.getValue(), other.keys.get(key.getKey()))) {
            unlike.add(key.getKey());
          }
        }
      }
    }
    return unlike;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(whole);
    keys.forEach((key, hash) -> text.append(' ').append(key).append('=').append(hash));
    return text.toString();
  }
}
