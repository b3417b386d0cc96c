package dev.recorder.lock.redis;

import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.Instruments;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A server, the way to it, and who asks it for locks. */
final class RedisSite implements AutoCloseable {
  /** A connection that was unused for less is taken to be alive. */
  static final long IDLE_MILLIS = 100;

  /** A test can wait for it, and no key goes because a busy host pauses for some seconds. */
  static final Duration EXPIRY = Duration.ofSeconds(12);

  /** Of what goes by way of the proxy: the same. */
  static final Duration TIMEOUT = Duration.ofSeconds(3);

  static final RedisLockOptions OPTIONS =
      new RedisLockOptions("test:", EXPIRY, Duration.ofMillis(20), 4);

  /** Keys that do not expire while a test runs: what is gone was removed. */
  static final RedisLockOptions LONG = OPTIONS.withExpiry(Duration.ofMinutes(5));

  private final RedisServer server = RedisServer.start();
  private final TcpProxy proxy = TcpProxy.to(server.port());
  private final Deque<RedisLocks> opened = new ArrayDeque<>();

  RedisServer server() {
    return server;
  }

  TcpProxy proxy() {
    return proxy;
  }

  RedisSettings settings(int port) {
    return settings(port, TIMEOUT);
  }

  /** With as much patience as keys of that expiry allow. */
  RedisSettings patient(RedisLockOptions options) {
    return settings(server.port(), options.expiry().dividedBy(4));
  }

  private static RedisSettings settings(int port, Duration timeout) {
    return RedisSettings.of("127.0.0.1", port).timeout(timeout).build();
  }

  RedisLocks direct(String worker, RedisLockOptions options) {
    return keep(new RedisLocks(patient(options), worker, options, Instruments.PLAIN));
  }

  RedisLocks direct(String worker) {
    return direct(worker, OPTIONS);
  }

  RedisLocks proxied(String worker, RedisLockOptions options, Instruments instruments) {
    return keep(new RedisLocks(settings(proxy.port()), worker, options, instruments));
  }

  RedisLocks counting(String worker, RedisLockOptions options, FencingCounter counter) {
    return keep(new RedisLocks(patient(options), worker, options, Instruments.PLAIN, counter));
  }

  private RedisLocks keep(RedisLocks locks) {
    opened.push(locks);
    return locks;
  }

  String value(String name) {
    return (String) server.ask("GET", key(name));
  }

  static String key(String name) {
    return "test:lock:{" + name + "}";
  }

  long ttlMillis(String name) {
    return (Long) server.ask("PTTL", key(name));
  }

  @Override
  public void close() throws Exception {
    opened.forEach(RedisLocks::close);
    proxy.close();
    server.close();
  }
}
