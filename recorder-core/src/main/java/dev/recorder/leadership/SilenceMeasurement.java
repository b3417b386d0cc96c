package dev.recorder.leadership;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How long each machine's heartbeat has stood still, on this machine's own monotonic time.
 *
 * <p>Silence counts from the first sight of an unchanged sequence number and needs at least three
 * reads on one database session: one late read after a pause of our own says nothing about others.
 * A new session starts over.
 */
final class SilenceMeasurement {
  private static final int READS = 3;

  private final Map<String, Track> tracks = new HashMap<>();

  private record Track(long beat, long since, int reads) {}

  /** Notes a read of {@code machine}'s heartbeat whose answer came at {@code now}. */
  void observe(String machine, long beat, long now) {
    tracks.compute(
        machine,
        (name, track) ->
            track == null || track.beat() != beat
                ? new Track(beat, now, 1)
                : new Track(beat, track.since(), track.reads() + 1));
  }

  /**
   * How long {@code machine} has been silent; zero until it was read often enough.
   *
   * @param asOf when the latest read was sent: what happened after that, it cannot tell
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
