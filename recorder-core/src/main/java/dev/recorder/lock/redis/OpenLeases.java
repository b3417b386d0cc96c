package dev.recorder.lock.redis;

import dev.recorder.lock.LeaseLife;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The leases to renew, and the keys to give back that may be held without a lease. Thread-safe. */
final class OpenLeases {
  /**
   * The most keys to give back; beyond it the oldest is dropped, and expires by itself. There is
   * one such key for each connection that was in use when the server fell silent, and one for each
   * interrupt.
   */
  private static final int MOST_STRAYS = 20_000;

  /** A key to give back. */
  static final class OrphanedKey {
    private final KeyClaim claim;
    private final long since;
    private boolean missed;

    private OrphanedKey(KeyClaim claim, long since) {
      this.claim = claim;
      this.since = since;
    }

    KeyClaim claim() {
      return claim;
    }

    /**
     * Notes that the key did not exist, and returns whether that is final. The request that sets
     * the key may still be on its way, or may wait, with this request, in a server that has just
     * come back. So it is final only some time after the first attempt.
     */
    boolean missedForGood(long now, long whileNanos) {
      missed = true;
      return now - since >= whileNanos;
    }

    /** Whether to wait before the next try. */
    boolean rests(long now, long whileNanos) {
      return missed && now - since < whileNanos;
    }
  }

  private final Map<KeyClaim, OpenLease> held = new ConcurrentHashMap<>();
  private final ConcurrentLinkedDeque<OrphanedKey> strays = new ConcurrentLinkedDeque<>();
  private final AtomicInteger strayCount = new AtomicInteger();
  private final WakeUp renewals;
  private final WakeUp deadlines;

  OpenLeases(WakeUp renewals, WakeUp deadlines) {
    this.renewals = renewals;
    this.deadlines = deadlines;
  }

  Collection<OpenLease> held() {
    return held.values();
  }

  void add(OpenLease holding, LeaseLife life) {
    held.put(holding.claim(), holding);
    renewals.at(holding.due().get());
    deadlines.at(life.until());
  }

  /** Removes an open lease; returns whether it was there. */
  boolean remove(KeyClaim claim) {
    return held.remove(claim) != null;
  }

  /**
   * Has a key given back, if it is held, as soon as the server answers.
   *
   * @param now when the renewer should start
   */
  void giveBack(KeyClaim claim, long now) {
    putBack(new OrphanedKey(claim, now));
    renewals.at(now);
  }

  void putBack(OrphanedKey stray) {
    strays.add(stray);
    if (strayCount.incrementAndGet() > MOST_STRAYS) {
      nextStray();
    }
  }

  int strays() {
    return strayCount.get();
  }

  @Nullable OrphanedKey nextStray() {
    OrphanedKey next = strays.poll();
    if (next != null) {
      strayCount.decrementAndGet();
    }
    return next;
  }
}
