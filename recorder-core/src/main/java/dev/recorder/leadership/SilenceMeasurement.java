package dev.recorder.leadership;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Measures how long each host's heartbeat has not changed, on this host's monotonic clock.
 *
 * <p>Silence counts from the first read of the unchanged sequence number. It needs at least three
 * reads on one database session, because one late read after a pause of this host shows nothing
 * about others. A new session starts over.
 */
final class SilenceMeasurement {
  private static final int READS = 3;

  private final Map<String, Track> tracks = new HashMap<>();

  private record Track(long beat, long since, int reads) {}

  /** Notes a read of a host's heartbeat whose answer came at {@code now}. */
  void observe(String machine, long beat, long now) {
    tracks.compute(
        machine,
        (name, track) ->
            track == null || track.beat() != beat
                ? new Track(beat, now, 1)
                : new Track(beat, track.since(), track.reads() + 1));
  }

  /**
   * Returns how long a host has been silent; zero before enough reads.
   *
   * @param asOf when the latest read was sent; later heartbeats cannot be in it
   */
  Duration of(String machine, long asOf) {
    Track track = tracks.get(machine);
    return track == null || track.reads() < READS
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, asOf - track.since()));
  }

  void forget() {
    tracks.clear();
  }
}
