package dev.recorder.leadership.postgres;

import java.util.Map;
import java.util.Set;

/** What another living machine tells of itself; as {@link Registration}, seen from outside. */
public record PeerRegistration(
    String name, String version, Set<Integer> primaryFor, Map<String, String> sectionHashes) {}
