package dev.recorder.lock.redis;

import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Counts elsewhere. Tokens must follow each other as leases do, so that the place where they are
 * checked lets each holder in and rejects its predecessors. That decides the order:
 *
 * <ol>
 *   <li>The key is set first. Were the token fetched before, one worker could fetch 5 and stall,
 *       another fetch 6, hold the lock and release it, and the first come back and hold the lock
 *       with 5: the lesser token for the later lease, refused by whoever has seen 6.
 *   <li>Then the token is fetched, and counts only if the lease has not run out meanwhile by our
 *       own ticker. Else a worker could set the key and stall; when it has expired, another takes
 *       it and fetches 5; and the first then fetches 6: the greater token for a lease that is over,
 *       which would lock the rightful holder out.
 *   <li>Last, the key is shown to be still ours (and renewed). A key that was deleted by hand or
 *       lost with the server's memory expires by no ticker; but if it is ours after the token has
 *       come, whoever takes it later fetches a later token, since no two acquisitions have the same
 *       value.
 * </ol>
 */
record TokensOfCounter(RedisContext site, RedisLinks links, FencingCounter counter)
    implements Granting {

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

  /** In the same order: the key is set, then the token comes, then the key is seen to be ours. */
  @Override
  public OptionalLong again(KeyClaim claim, RedisLink link, OptionalLong counted) {
    long token = counter.next(claim.name());
    return link.confirm(claim, site.options().expiry().toMillis()).isEmpty()
        ? OptionalLong.of(token)
        : OptionalLong.empty();
  }
}
