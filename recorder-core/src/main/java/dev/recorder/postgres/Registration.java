package dev.recorder.postgres;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a machine tells of itself in {@code info_recorders}.
 *
 * @param primaryFor lock ids it is the primary of
 * @param secondaries number of recorders it is a secondary of
 */
public record Registration(
    Set<Integer> primaryFor, int secondaries, String version, String configHash) {

  /** PostgreSQL's text form of an array of ids, sorted. */
  static String array(Set<Integer> ids) {
    return new TreeSet<>(ids)
        .stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }
}
