package dev.recorder.app.soak;

import dev.recorder.testing.servers.PostgresServer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Everything that faults may befall. */
final class Scene {
  private final FaultyHosts hosts;
  private final S3Traffic s3;
  private final PostgresServer postgres;
  private final Function<Drawn, Optional<Struck>> flips;
  private final AtomicBoolean databaseBusy = new AtomicBoolean();

  /**
   * @param flips makes another host a recorder's primary, if recorders have any
   */
  Scene(
      FaultyHosts hosts,
      S3Traffic s3,
      PostgresServer postgres,
      Function<Drawn, Optional<Struck>> flips) {
    this.hosts = hosts;
    this.s3 = s3;
    this.postgres = postgres;
    this.flips = flips;
  }

  FaultyHosts hosts() {
    return hosts;
  }

  S3Traffic s3() {
    return s3;
  }

  Optional<Struck> flip(Drawn drawn) {
    return flips.apply(drawn);
  }

  Optional<Struck> databaseDown() {
    if (!databaseBusy.compareAndSet(false, true)) {
      return Optional.empty();
    }
    postgres.kill();
    return Optional.of(
        new Struck(
            "postgres",
            () -> {
              postgres.restart();
              databaseBusy.set(false);
            }));
  }

  Optional<Struck> databaseRestarted() {
    if (!databaseBusy.compareAndSet(false, true)) {
      return Optional.empty();
    }
    postgres.restart();
    return Optional.of(new Struck("postgres", () -> databaseBusy.set(false)));
  }
}
