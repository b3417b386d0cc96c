package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.Loss;
import dev.recorder.testing.RedisServer;
import dev.recorder.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** A server, the way to it, and who asks it for locks. */
final class RedisSite implements AutoCloseable {
  static final Duration EXPIRY = Duration.ofMillis(1_500);
  static final Duration TIMEOUT = Duration.ofMillis(250);

  /** What a busy host may be late by. */
  static final Duration SLACK = Duration.ofMillis(400);

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
    return new RedisSettings("127.0.0.1", port, null, null, null, TIMEOUT);
  }

  RedisLocks direct(String worker, RedisLockOptions options) {
    return keep(new RedisLocks(settings(server.port()), worker, options, Instruments.PLAIN));
  }

  RedisLocks direct(String worker) {
    return direct(worker, OPTIONS);
  }

  RedisLocks proxied(String worker, RedisLockOptions options, Instruments instruments) {
    return keep(new RedisLocks(settings(proxy.port()), worker, options, instruments));
  }

  RedisLocks counting(String worker, RedisLockOptions options, FencingCounter counter) {
    return keep(
        new RedisLocks(settings(server.port()), worker, options, Instruments.PLAIN, counter));
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

  static Loss lossOf(Lease lease, Duration limit) throws Exception {
    return lease.lost().toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() throws Exception {
    opened.forEach(RedisLocks::close);
    proxy.close();
    server.close();
  }
}
