package dev.recorder.leadership.postgres;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Hashes of a section of a host's file, by which hosts are compared without its values.
 *
 * @param whole hash of all keys that hosts should share; it alone decides whether two sections are
 *     equal
 * @param keys a short hash of each key that is not at its default, to name the keys that differ
 */
public record SectionHash(String whole, SortedMap<String, String> keys) {
  public SectionHash {
    keys = new TreeMap<>(keys);
  }

  /** Reads the form of {@link #toString}, with or without keys. */
  public static SectionHash parse(String text) {
    String[] words = text.split(" ");
    SortedMap<String, String> keys = new TreeMap<>();
    for (int i = 1; i < words.length; i++) {
      String[] pair = words[i].split("=", 2);
      keys.put(pair[0], pair.length > 1 ? pair[1] : "");
    }
    return new SectionHash(words[0], keys);
  }

  /** Returns the keys in which some of these sections differ; empty if no such key is known. */
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
