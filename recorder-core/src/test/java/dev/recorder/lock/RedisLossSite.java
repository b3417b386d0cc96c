package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.LockKind.Client;
import dev.recorder.lock.postgres.SequenceCounter;
import dev.recorder.lock.redis.RedisLockAdmin;
import dev.recorder.lock.redis.RedisLockOptions;
import dev.recorder.lock.redis.RedisLocks;
import dev.recorder.lock.redis.RedisSettings;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.RedisServer;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;

/** Keys of Redis, with tokens that outlive it. */
final class RedisLossSite implements LossSite {
  static final Duration EXPIRY = Duration.ofSeconds(8);
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final String PREFIX = "loss:";
  private static final RedisLockOptions OPTIONS =
      new RedisLockOptions(PREFIX, EXPIRY, Duration.ofMillis(20), 4);

  private final TcpProxy proxy = TcpProxy.to(Server.REDIS.port());

  /** One that nobody else uses: it is ended, and stopped. */
  private static final class Server {
    static final RedisServer REDIS = RedisServer.start();
  }

  @Override
  public Client holder(Harm harm, Instruments instruments) {
    return client("holder", proxy.port(), instruments);
  }

  @Override
  public Client other() {
    return client("other", Server.REDIS.port(), Instruments.PLAIN);
  }

  private static Client client(String worker, int port, Instruments instruments) {
    TestDatabase counting = LockContract.Shared.DATABASE;
    SequenceCounter tokens =
        new SequenceCounter(
            LockSites.sessions(counting, worker, counting.server().port()), Duration.ofSeconds(60));
    RedisLocks locks = new RedisLocks(settings(port), worker, OPTIONS, instruments, tokens);
    return new Client(
        locks::lock,
        () -> {
          locks.close();
          tokens.close();
        });
  }

  private static RedisSettings settings(int port) {
    return RedisSettings.of("127.0.0.1", port).timeout(TIMEOUT).build();
  }

  @Override
  public Duration expiry() {
    return EXPIRY;
  }

  /** A renewal, and another attempt to give back. */
  @Override
  public Duration aftermath() {
    return EXPIRY.dividedBy(2);
  }

  @Override
  public Undo harm(Harm harm, String name) throws InterruptedException {
    String key = PREFIX + "lock:{" + name + "}";
    return switch (harm) {
      case SESSION_ENDED -> {
        awaitRenewal();
        yield done("CLIENT", "KILL", "TYPE", "normal");
      }
      case FORCED -> {
        try (RedisLockAdmin operator = RedisLockAdmin.open(settings(Server.REDIS.port()), PREFIX)) {
          assertThat(operator.release(operator.find(name).orElseThrow())).isTrue();
        }
        yield Undo.NOTHING;
      }
      case DELETED -> done("DEL", key);
      case OVERWRITTEN -> {
        done("SET", key, "somebody:else", "PX", "60000");
        yield () -> {
          assertThat(Server.REDIS.ask("GET", key)).isEqualTo("somebody:else");
          assertThat((Long) Server.REDIS.ask("PTTL", key)).isGreaterThan(30_000);
          done("DEL", key);
        };
      }
      case SERVERS_CLOCK_AHEAD -> done("PEXPIRE", key, "1");
      case SERVER_RESTARTED -> {
        awaitRenewal();
        Server.REDIS.restart();
        yield Undo.NOTHING;
      }
      case SERVER_FROZEN -> {
        Server.REDIS.freeze();
        yield Server.REDIS::thaw;
      }
      case NETWORK_CUT -> {
        proxy.cut();
        yield proxy::heal;
      }
      case CONNECTIONS_REFUSED, ONE_RENEWAL_FAILED -> {
        proxy.refuseNew();
        proxy.reset();
        yield proxy::heal;
      }
      case HOLDERS_CLOCK_AHEAD, HOLDERS_CLOCK_STOPPED ->
          throw new IllegalArgumentException("not the server's: " + harm);
    };
  }

  /** By then there is a connection for renewals that can break. */
  private static void awaitRenewal() throws InterruptedException {
    Thread.sleep(EXPIRY.toMillis() / 2);
  }

  private static Undo done(String command, String... arguments) {
    Server.REDIS.ask(command, arguments);
    return Undo.NOTHING;
  }

  @Override
  public void close() {
    proxy.close();
  }
}
