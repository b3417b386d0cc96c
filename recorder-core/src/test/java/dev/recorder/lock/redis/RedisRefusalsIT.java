package dev.recorder.lock.redis;

import static dev.recorder.lock.Leases.assertFails;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.testing.network.RefusingRedis;
import dev.recorder.testing.servers.RedisServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server that is there says when it does not take writes for a while. */
class RedisRefusalsIT {
  private record Trouble(List<String> begin, List<String> end, String words) {}

  private static Arguments trouble(String name, String begin, String end, String words) {
    return Arguments.of(
        Named.of(name, new Trouble(List.of(begin.split(" ")), List.of(end.split(" ")), words)));
  }

  static Stream<Arguments> realTroubles() {
    return Stream.of(
        trouble(
            "a replica",
            "REPLICAOF 127.0.0.1 1",
            "REPLICAOF NO ONE",
            "it is a replica: name the primary"),
        trouble("full", "CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "raise its maxmemory"),
        trouble(
            "without replicas",
            "CONFIG SET min-replicas-to-write 1",
            "CONFIG SET min-replicas-to-write 0",
            "min-replicas-to-write"));
  }

  @ParameterizedTest
  @MethodSource("realTroubles")
  void aServerThatTakesNoWritesNowMayDoSoLater(Trouble trouble) throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisLocks locks = locks(server.port())) {
      take(locks.lock("before")).close();
      ask(server, trouble.begin());
      try {
        assertFails(Kind.UNREACHABLE, () -> locks.lock("job").tryAcquire())
            .hasMessageContaining(trouble.words());
      } finally {
        ask(server, trouble.end());
      }
      take(locks.lock("job")).close();
    }
  }

  @Test
  void aServerThatHasTooManyClientsMayHaveFewerLater() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisLocks locks = locks(server.port());
        var other = server.connect()) {
      other.ping();
      server.ask("CONFIG", "SET", "maxclients", "1");

      assertFails(Kind.UNREACHABLE, () -> locks.lock("job").tryAcquire());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOADING Redis is loading the dataset in memory",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "CLUSTERDOWN The cluster is down",
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist",
        "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -READONLY You"
            + " can't",
        "ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed when used"
      })
  void soMayOneThatSaysSoInOtherWords(String words) {
    assertThat(kindOf(words)).isEqualTo(Kind.UNREACHABLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MOVED 3999 127.0.0.1:6381",
        "ERR Error running script (call to f_1): @user_script:1: WRONGTYPE Operation against a key",
        "DENIED Redis is running in protected mode"
      })
  void whatNeverPassesIsNotWaitedFor(String words) {
    assertThat(kindOf(words)).isEqualTo(Kind.UNUSABLE);
  }

  @Test
  void aLeaseOutlivesAServerThatTakesNoWritesForAWhile() throws Exception {
    try (RedisSite site = new RedisSite()) {
      Lease lease = take(site.direct("one").lock("job"));
      ask(site.server(), List.of("REPLICAOF", "127.0.0.1", "1"));
      await().until(() -> lease.state() == LeaseState.IN_DOUBT);

      ask(site.server(), List.of("REPLICAOF", "NO", "ONE"));

      await().until(() -> lease.state() == LeaseState.HELD);
      lease.close();
    }
  }

  private static Kind kindOf(String words) {
    try (RefusingRedis server = new RefusingRedis(words);
        RedisLocks locks = locks(server.port())) {
      try {
        locks.lock("job").tryAcquire();
        throw new AssertionError("it was not refused");
      } catch (LockException refused) {
        return refused.kind();
      }
    }
  }

  private static RedisLocks locks(int port) {
    return new RedisLocks(
        RedisSettings.of("127.0.0.1", port).build(), "one", RedisSite.OPTIONS, Instruments.PLAIN);
  }

  private static void ask(RedisServer server, List<String> words) {
    server.ask(words.get(0), words.subList(1, words.size()).toArray(String[]::new));
  }
}
