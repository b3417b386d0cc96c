package dev.recorder.lock.redis;

import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Draws tokens from a counter outside Redis. Tokens must rise in the order of the leases, so that a
 * receiver accepts each holder and rejects its predecessors. This determines the order of the
 * steps:
 *
 * <ol>
 *   <li>The key is set first. If the token were drawn before, worker A could draw 5 and stall.
 *       Worker B could draw 6, take the lock and release it. Then A could take the lock with 5: a
 *       lower token for a later lease, which a receiver that has seen 6 refuses.
 *   <li>Then the token is drawn. The token counts only if, by our own ticker, the lease has not run
 *       out meanwhile. Otherwise worker A could set the key and stall. After the key has expired,
 *       worker B could take it and draw 5. Then A could draw 6: a higher token for a lease that is
 *       over, so that receivers refuse the rightful holder.
 *   <li>Last, the key is confirmed and renewed. A key that was deleted by hand, or lost with the
 *       server's memory, ends unnoticed by the ticker. If the key is still ours after the token was
 *       drawn, any later holder draws a later token, since the values of two acquisitions differ.
 * </ol>
 */
record CounterTokens(RedisContext site, RedisLinks links, FencingCounter counter)
    implements KeyAcquisition {

  @Override
  public Optional<Grant> take(KeyClaim claim) throws InterruptedException {
    long setAt = site.nanos();
    long expiry = site.options().expiry().toMillis();
    if (!links.call(link -> link.take(claim, expiry))) {
      return Optional.empty();
    }
    long token = counter.next(claim.name());
    if (site.isOver(setAt)) {
      throw new LockException(
          claim.name(),
          LockException.Kind.UNREACHABLE,
          "its fencing token came after "
              + (site.nanos() - setAt) / 1_000_000
              + " ms, too late for a lease of "
              + expiry
              + " ms; try again");
    }
    long sentAt = site.nanos();
    Optional<Loss> loss = stillOurs(claim);
    if (loss.isEmpty()) {
      return Optional.of(new Grant(token, sentAt));
    } else if (loss.get().cause() == Loss.Cause.TAKEN_OVER) {
      return Optional.empty();
    }
    throw new LockException(
        claim.name(),
        LockException.Kind.UNREACHABLE,
        loss.get().detail() + " before its fencing token came; try again");
  }

  private Optional<Loss> stillOurs(KeyClaim claim) throws InterruptedException {
    try {
      return links.call(link -> link.confirm(claim, site.options().expiry().toMillis()));
    } catch (RedisFailure failed) {
      throw failed.of(claim.name());
    }
  }

  @Override
  public boolean countsInRedis() {
    return false;
  }

  /** Uses the same order: the key is set, the token is drawn, the key is confirmed. */
  @Override
  public OptionalLong again(KeyClaim claim, RedisLink link, OptionalLong counted) {
    long token = counter.next(claim.name());
    return link.confirm(claim, site.options().expiry().toMillis()).isEmpty()
        ? OptionalLong.of(token)
        : OptionalLong.empty();
  }
}
