package dev.recorder.lock.redis;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.TrackedLease;
import dev.recorder.logging.OutageLog;
import dev.recorder.time.NamedThreadFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks that are expiring keys of one Redis server: {@code <prefix>lock:{name}}. The value has the
 * worker and a part unique to the acquisition. After "Distributed Locks with Redis" (redis.io) in
 * its form for one server.
 *
 * <p>A lease lasts for the expiry less 1 % and 2 ms, from before the request was sent that set its
 * key or last renewed it. That margin covers a server clock that runs faster than this JVM's
 * ticker. No wall clock is read. A server that steps its clock forward ends keys early, which is
 * seen as if the key had been deleted. A lease is renewed at a third of the expiry. After a failed
 * renewal it is in doubt, and renewal is repeated after a tenth of the expiry, a second at most.
 *
 * <p>A holder is told at the latest:
 *
 * <ul>
 *   <li>If an operator removed the key, or another holder has had it: {@code REVOKED}, after a
 *       third of the expiry and the time-out, plus the renewals of other leases of this object due
 *       at the same time.
 *   <li>If the key was overwritten: {@code TAKEN_OVER}, after the same time.
 *   <li>If the server restarted empty: {@code REVOKED}, after the same time.
 *   <li>If the server is down, hangs or cannot be reached: {@code LEASE_EXPIRED} at the end of the
 *       lease; that signal waits for no answer.
 * </ul>
 *
 * <p>A renewal takes a deleted or evicted key again, in one step and with a new token, if no other
 * holder can have had the lock since: then the lease continues. A mark beside the key tells. Every
 * acquisition overwrites it, and it disappears with a release and with the server's memory.
 *
 * <p>Until the loss is told, in the first three cases, two processes may hold the lock; also after
 * a failover to a replica without the key. Work that must not be done twice then needs the token,
 * from a counter outside of Redis, which such a fault does not reset.
 *
 * <p>A request without an answer never counts as a grant: what it may have set is removed as soon
 * as the server answers again. An interrupt ends a call at once, even if the server hangs; but
 * while a {@link FencingCounter} is asked, only when it returns, a {@code SequenceCounter} with
 * PostgreSQL's answer or its time-out. Thread-safe; owns two daemon threads and up to {@link
 * RedisLockOptions#connections()} + 1 connections, opened when needed.
 */
public final class RedisLocks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedisLocks.class);

  private final RedisContext site;
  private final RedisLinks links;
  private final KeyAcquisition granting;
  private final OpenLeases holdings;
  private final LeaseRenewer renewer;
  private final LeaseExpiryMonitor watch;
  private final Thread keeping;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable String failure;

  /**
   * Locks with tokens that the server counts in {@code <prefix>token:{name}}, in the step that
   * grants the lock: each is greater than all that this server remembers. A server that restarts
   * empty, or fails over to a replica that lags behind, repeats tokens.
   *
   * @param worker named in the keys' values and by the connections
   */
  public RedisLocks(
      RedisSettings settings, String worker, RedisLockOptions options, Instruments instruments) {
    this(new RedisContext(settings, worker, options, instruments), KeyAcquisition.RedisTokens::new);
  }

  /**
   * Creates locks with tokens of a counter outside Redis. A token is greater than those of all
   * earlier leases, even if Redis has lost its memory. Each acquisition takes one more round trip
   * to Redis, and a call of the counter.
   *
   * @param worker the worker's name in the keys' values and of the connections
   */
  public RedisLocks(
      RedisSettings settings,
      String worker,
      RedisLockOptions options,
      Instruments instruments,
      FencingCounter counter) {
    this(
        new RedisContext(settings, worker, options, instruments),
        (site, links) -> new CounterTokens(site, links, counter));
  }

  private RedisLocks(
      RedisContext site, BiFunction<RedisContext, RedisLinks, KeyAcquisition> granting) {
    Instruments instruments = site.instruments();
    WakeUp renewals = new WakeUp(instruments.ticker());
    WakeUp deadlines = new WakeUp(instruments.ticker());
    this.site = site;
    this.links =
        new RedisLinks(site.settings(), site.worker(), site.options().connections(), instruments);
    this.granting = granting.apply(site, links);
    this.holdings = new OpenLeases(renewals, deadlines);
    this.renewer =
        new LeaseRenewer(
            site,
            this.granting,
            holdings,
            renewals,
            new OutageLog(LOG, site.settings() + ", for " + site.worker()));
    this.watch =
        new LeaseExpiryMonitor(holdings, deadlines, site.options().validity(), instruments);
    this.keeping = new NamedThreadFactory("redis-lock-keeper").newThread(() -> keep(renewer));
    keeping.start();
    new NamedThreadFactory("redis-lock-deadlines").newThread(() -> keep(watch)).start();
  }

  /**
   * Ends all leases after a failure of {@code keeper}, since leases would neither be renewed nor
   * reported as lost.
   */
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

  /** Reports the loss to all holders before keys are given back, if the keeper still runs. */
  private void endAll(Loss loss) {
    List<OpenLease> all = List.copyOf(holdings.held());
    all.forEach(holding -> holding.lease().end(loss));
    for (OpenLease holding : all) {
      if (holdings.remove(holding.claim())) {
        holdings.giveBack(holding.claim(), site.nanos());
      }
    }
  }

  /**
   * Returns the lock of a name. All processes that use the name share the lock.
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
            // The lock was granted too late to be ended with the others.
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
   * Ends open leases: reports them to their holders as lost ({@code REVOKED}), then gives their
   * keys back if the server answers within its time-out. Otherwise the keys expire. Returns within
   * two time-outs.
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
