package dev.recorder.app.bench;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.lock.postgres.MutexLocks;
import dev.recorder.lock.postgres.TimeoutLocks;
import dev.recorder.lock.redis.RedisLockOptions;
import dev.recorder.lock.redis.RedisLocks;
import dev.recorder.lock.redis.RedisSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The product's kinds of lock. */
final class Ours implements Contestant {
  private static final String LOCK = "row-0";

  private final String name;
  private final Kind kind;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Makes a client. */
  @FunctionalInterface
  private interface Kind {
    Contestant.Client client(Ours ours, String worker);
  }

  private Ours(String name, Kind kind) {
    this.name = name;
    this.kind = kind;
  }

  static Contestant advisory(LockServers servers) {
    return new Ours(
        "advisory",
        (ours, worker) ->
            cycles(
                ours.keep(new AdvisoryLocks(servers.sessions(worker), Instruments.PLAIN))
                    .lock(LOCK)));
  }

  static Contestant mutex(LockServers servers) {
    return new Ours(
        "mutex",
        (ours, worker) ->
            cycles(
                ours.keep(new MutexLocks(servers.sessions(worker), Instruments.PLAIN)).lock(LOCK)));
  }

  /** By turns, so that each is due again when its turn comes. */
  static Contestant timeout(LockServers servers) {
    return new Ours(
        "timeout",
        (ours, worker) -> {
          TimeoutLocks locks =
              ours.keep(new TimeoutLocks(servers.sessions(worker), Instruments.PLAIN));
          return new ByTurns(
              Raw.ROWS.stream().map(id -> locks.lock(id, Duration.ofMillis(1))).toList());
        });
  }

  static Contestant redis(LockServers servers) {
    return new Ours(
        "redis",
        (ours, worker) ->
            cycles(
                ours.keep(
                        new RedisLocks(
                            RedisSettings.at("127.0.0.1", servers.redis().port()),
                            worker,
                            RedisLockOptions.DEFAULT,
                            Instruments.PLAIN))
                    .lock(LOCK)));
  }

  private static Contestant.Client cycles(DistributedLock lock) {
    return () -> {
      try (Lease lease = lock.acquire()) {
        lease.complete();
      }
    };
  }

  private static final class ByTurns implements Contestant.Client {
    private final List<DistributedLock> locks;
    private int turn;

    ByTurns(List<DistributedLock> locks) {
      this.locks = locks;
    }

    @Override
    public void cycle() throws InterruptedException {
      locks.get(turn++ % locks.size()).acquire().close();
    }
  }

  private <T extends AutoCloseable> T keep(T service) {
    open.push(service);
    return service;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Client client() {
    return kind.client(this, "bench-" + open.size());
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable service : open) {
      service.close();
    }
  }
}
