package dev.recorder.leadership.postgres;

import java.util.Map;
import java.util.Set;

/** The registration of another living host, as this host reads it; see {@link Registration}. */
public record PeerRegistration(
    String name, String version, Set<Integer> primaryFor, Map<String, String> sectionHashes) {}
