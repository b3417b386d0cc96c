package dev.recorder.lock.redis;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.TrackedLease;
import dev.recorder.time.Pause;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class RedisLock implements ContendedLock.LockAttempt {
  private final String name;
  private final RedisContext site;
  private final KeyAcquisition granting;
  private final RedisLinks links;
  private final OpenLeases holdings;

  RedisLock(
      String name,
      RedisContext site,
      KeyAcquisition granting,
      RedisLinks links,
      OpenLeases holdings) {
    this.name = name;
    this.site = site;
    this.granting = granting;
    this.links = links;
    this.holdings = holdings;
  }

  /**
   * Takes the lock; it waits only for answers, and not in the server. An interrupt ends the wait,
   * unless a counter is waiting.
   */
  @Override
  public Optional<TrackedLease> within(Duration limit) throws InterruptedException {
    KeyClaim claim = KeyClaim.of(site.options().prefix(), name, site.worker());
    boolean settled = false;
    try {
      Optional<KeyAcquisition.Grant> grant = granting.take(claim);
      if (grant.isPresent()) {
        Pause.endIfInterrupted();
      }
      Optional<TrackedLease> lease = grant.map(granted -> hold(claim, granted));
      settled = true;
      return lease;
    } catch (RedisFailure failed) {
      settled = !failed.mayHaveActed();
      Pause.endIfInterrupted();
      throw failed.of(name);
    } catch (LockException failed) {
      Pause.endIfInterrupted(); // The counter may have failed because of the interrupt.
      throw failed;
    } finally {
      if (!settled) {
        holdings.giveBack(claim, site.nanos());
      }
    }
  }

  private TrackedLease hold(KeyClaim claim, KeyAcquisition.Grant grant) {
    if (site.isOver(grant.sentAt())) {
      throw new LockException(
          name, LockException.Kind.UNREACHABLE, "it was granted too late; try again");
    }
    LeaseLife life =
        LeaseLife.granted(grant.sentAt(), site.options().validity(), Loss.Cause.LEASE_EXPIRED);
    TrackedLease lease =
        new TrackedLease(
            name, grant.token(), life, (closed, completed) -> release(claim), site.instruments());
    long due = grant.sentAt() + site.options().renewal().toNanos();
    holdings.add(new OpenLease(claim, lease, due), life);
    return lease;
  }

  /** Releases the key, despite an interrupt before or during the wait for the answer. */
  private @Nullable Loss release(KeyClaim claim) {
    holdings.remove(claim);
    boolean interrupted = Thread.interrupted();
    try {
      return releaseOnce(claim).orElse(null);
    } catch (RedisFailure | InterruptedException failed) {
      if (!Thread.interrupted() && !(failed instanceof InterruptedException)) {
        throw givenBackLater(claim, failed);
      }
      interrupted = true;
      return releaseAgain(claim);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Optional<Loss> releaseOnce(KeyClaim claim) throws InterruptedException {
    return links.call(link -> link.release(claim));
  }

  /** Repeats a release. If the key does not exist, the first attempt has presumably removed it. */
  private @Nullable Loss releaseAgain(KeyClaim claim) {
    try {
      releaseOnce(claim);
      return null;
    } catch (RedisFailure | InterruptedException failed) {
      throw givenBackLater(claim, failed);
    }
  }

  private LockException givenBackLater(KeyClaim claim, Exception failed) {
    holdings.giveBack(claim, site.nanos());
    return new LockException(
        name,
        failed instanceof RedisFailure known ? known.kind() : LockException.Kind.FAILED,
        "its release was not confirmed, and is tried again until its key expires: "
            + failed.getMessage(),
        failed);
  }
}
