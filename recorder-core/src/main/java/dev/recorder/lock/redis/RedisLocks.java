package dev.recorder.lock.redis;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.TrackedLease;
import dev.recorder.logging.Outage;
import dev.recorder.time.NamedThreads;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks that are expiring keys of one Redis server: {@code <prefix>lock:{name}}, with the worker
 * and what no other acquisition has as their value. After "Distributed Locks with Redis" (redis.io)
 * in its form for one server.
 *
 * <p>A lease counts from before the request was sent that set its key, or last renewed it, for the
 * expiry less 1 % and 2 ms: what the server's clock may run faster than this JVM's ticker. Nothing
 * else is assumed about clocks, and none is read; a server that steps its clock forward ends leases
 * early, and what is lost then is seen as if the key had been deleted. It is renewed at a third of
 * the expiry; after a renewal that failed again after a tenth of it, a second at most, and is in
 * doubt meanwhile.
 *
 * <p>How soon a holder is told, at the latest:
 *
 * <ul>
 *   <li>An operator took the key away, or somebody else has had it: {@code REVOKED}, after a third
 *       of the expiry and the time-out, plus the renewals of other leases of this object that are
 *       due at the same time.
 *   <li>The key was overwritten: {@code TAKEN_OVER}, after the same time.
 *   <li>The server restarted empty: {@code REVOKED}, after the same time.
 *   <li>The server is down, hangs or cannot be reached: {@code LEASE_EXPIRED} when the lease ends;
 *       that signal waits for no answer.
 * </ul>
 *
 * <p>A key that is gone, deleted or evicted, and that nobody else can have had since, is taken
 * again by the renewal, in one step and with a new token: that ends no lease. A mark beside the key
 * tells, which whoever takes the lock overwrites and which goes with a release and the server's
 * memory.
 *
 * <p>Until then, in the first three cases, two may hold the lock; so they may after a failover to a
 * replica that had not heard of the key. What must not be done twice then needs the token, and the
 * tokens a counter that such a fault does not reset: one outside of Redis.
 *
 * <p>A request whose answer was lost is never taken for a grant: what it may have set is removed as
 * soon as the server answers again. An interrupt ends a call at once, whether the server answers or
 * not; while a {@link FencingCounter} is asked, as soon as that lets go: a {@code SequenceCounter}
 * with PostgreSQL's answer or its time-out. Thread-safe; owns two daemon threads and up to {@link
 * RedisLockOptions#connections()} + 1 connections, opened when needed.
 */
public final class RedisLocks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedisLocks.class);

  private final RedisContext site;
  private final RedisLinks links;
  private final Granting granting;
  private final Holdings holdings;
  private final LeaseRenewer renewer;
  private final DeadlineWatch watch;
  private final Thread keeping;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable String failure;

  /**
   * With tokens that the server counts in {@code <prefix>token:{name}}, in the step that grants the
   * lock: each is greater than all that this server remembers to have given. One that restarts
   * empty, or fails over to a replica that lags behind, gives them out again.
   *
   * @param worker who asks; in the keys' values, and the name of the connections
   */
  public RedisLocks(
      RedisSettings settings, String worker, RedisLockOptions options, Instruments instruments) {
    this(new RedisContext(settings, worker, options, instruments), TokensOfRedis::new);
  }

  /**
   * With tokens of a counter outside of Redis: each is greater than those of all earlier leases,
   * whatever Redis has forgotten. Each acquisition has a third round trip to Redis, beside the
   * counter's.
   *
   * @param worker who asks; in the keys' values, and the name of the connections
   */
  public RedisLocks(
      RedisSettings settings,
      String worker,
      RedisLockOptions options,
      Instruments instruments,
      FencingCounter counter) {
    this(
        new RedisContext(settings, worker, options, instruments),
        (site, links) -> new TokensOfCounter(site, links, counter));
  }

  private RedisLocks(RedisContext site, BiFunction<RedisContext, RedisLinks, Granting> granting) {
    Instruments instruments = site.instruments();
    Alarm renewals = new Alarm(instruments.ticker());
    Alarm deadlines = new Alarm(instruments.ticker());
    this.site = site;
    this.links =
        new RedisLinks(site.settings(), site.worker(), site.options().connections(), instruments);
    this.granting = granting.apply(site, links);
    this.holdings = new Holdings(renewals, deadlines);
    this.renewer =
        new LeaseRenewer(
            site,
            this.granting,
            holdings,
            renewals,
            new Outage(LOG, site.settings() + ", for " + site.worker()));
    this.watch = new DeadlineWatch(holdings, deadlines, site.options().validity(), instruments);
    this.keeping = new NamedThreads("redis-lock-keeper").newThread(() -> keep(renewer));
    keeping.start();
    new NamedThreads("redis-lock-deadlines").newThread(() -> keep(watch)).start();
  }

  /** If it fails, nobody would renew leases, or tell of their losses. */
  private void keep(Runnable keeper) {
    try {
      keeper.run();
    } catch (RuntimeException | Error unkept) {
      String why = "its keeper has failed: " + unkept;
      failure = why;
      endAll(new Loss(Loss.Cause.LEASE_EXPIRED, why));
      throw unkept;
    }
  }

  /** All are told before keys are given back, if somebody is still there to do that. */
  private void endAll(Loss loss) {
    List<Holding> all = List.copyOf(holdings.held());
    all.forEach(holding -> holding.lease().end(loss));
    for (Holding holding : all) {
      if (holdings.remove(holding.claim())) {
        holdings.giveBack(holding.claim(), site.nanos());
      }
    }
  }

  /**
   * A lock. All with the same name, of any process, are one.
   *
   * @param name 1 to 200 ASCII characters, without blanks and braces
   */
  public DistributedLock lock(String name) {
    RedisLock attempts = new RedisLock(KeyClaim.checkedName(name), site, granting, links, holdings);
    return new ContendedLock(
        name,
        limit -> {
          requireOpen(name);
          Optional<TrackedLease> lease = attempts.within(limit);
          if (lease.isPresent() && (closed.get() || failure != null)) {
            // It came too late to be ended with the others.
            lease.get().close();
            requireOpen(name);
          }
          return lease;
        },
        site.options().pause(),
        site.instruments());
  }

  private void requireOpen(String name) {
    if (closed.get()) {
      throw new LockException(name, LockException.Kind.UNUSABLE, "its RedisLocks has been closed");
    }
    String why = failure;
    if (why != null) {
      throw new LockException(name, LockException.Kind.UNUSABLE, why);
    }
  }

  /**
   * Ends leases that are still open: their holders are told that they are lost ({@code REVOKED}),
   * and then their keys are given back, if the server answers within its time-out; else they
   * expire. Returns within two time-outs.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    endAll(new Loss(Loss.Cause.REVOKED, "its RedisLocks was closed"));
    renewer.stop();
    watch.stop();
    links.close();
    try {
      keeping.join(2L * site.settings().timeoutMillis());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
