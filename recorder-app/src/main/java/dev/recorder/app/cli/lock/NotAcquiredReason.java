package dev.recorder.app.cli.lock;

import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.AdvisoryRow;
import dev.recorder.lock.postgres.Cadence;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.lock.postgres.MutexRow;
import dev.recorder.lock.postgres.TimeoutRow;
import dev.recorder.lock.redis.RedisLockAdmin;
import dev.recorder.lock.redis.RedisLockRow;
import dev.recorder.postgres.DatabaseException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a lock could not be taken. Asks the server shortly after the attempt, when the lock
 * may already be free again.
 *
 * @param every for kind timeout, how often the lock may be taken
 * @param quiet whether to print nothing if another process has the lock
 */
record NotAcquiredReason(LockAddress address, @Nullable Cadence every, boolean quiet) {
  private static final String LEFT_OUT =
      "; so no host runs it now: --every day@ZONE counts days, not hours since the last run";

  private static final String GONE = "another process had it and has released it meanwhile";

  /**
   * Returns the sentence for standard error. With {@code quiet}, the only case with a sentence is a
   * time-out that is not due because of a run in an earlier turn: no host has run in this turn, and
   * no host will.
   */
  Optional<String> told() {
    if (!quiet) {
      return Optional.of(inWords());
    } else if (address.kind() != LockKind.TIMEOUT) {
      return Optional.empty();
    }
    try (LockAdmin admin = address.admin()) {
      return admin
          .timeout(address.queue(), address.name())
          .filter(this::leavesThisTurnOut)
          .map(row -> LockListLine.notDue(row) + LEFT_OUT);
    } catch (LockException | DatabaseException unknown) {
      return Optional.empty();
    }
  }

  private boolean leavesThisTurnOut(TimeoutRow row) {
    return !row.due()
        && !LockListLine.isUsedUp(row.retriesLeft())
        && !Objects.requireNonNull(every)
            .isOfOneTurn(Objects.requireNonNull(row.acquiredAt()), row.now());
  }

  private String inWords() {
    try {
      if (address.kind() == LockKind.REDIS) {
        try (RedisLockAdmin admin = address.redisAdmin()) {
          return admin.find(address.name()).map(NotAcquiredReason::redis).orElse(GONE);
        }
      }
      try (LockAdmin admin = address.admin()) {
        return row(admin);
      }
    } catch (LockException | DatabaseException unknown) {
      return "another process has it";
    }
  }

  private String row(LockAdmin admin) {
    return switch (address.kind()) {
      case ADVISORY, REDIS ->
          LockAddress.holder(address.advisory(admin))
              .map(AdvisoryRow::session)
              .map(session -> session + " holds it")
              .orElse(GONE);
      case MUTEX -> admin.mutex(address.queue(), address.name()).map(this::mutex).orElse(usedUp());
      case TIMEOUT ->
          admin.timeout(address.queue(), address.name()).map(this::timeout).orElse(usedUp());
    };
  }

  private static String redis(RedisLockRow row) {
    return row.worker() + " holds it" + LockListLine.remainingInWords(row);
  }

  private String mutex(MutexRow row) {
    if (row.acquired()) {
      return "%s; if its owner has failed, 'recorder lock release %s --force' releases it"
          .formatted(LockListLine.takenBy(row), address.options());
    }
    return LockListLine.isUsedUp(row.retriesLeft()) ? usedUp() : GONE;
  }

  private String timeout(TimeoutRow row) {
    if (LockListLine.isUsedUp(row.retriesLeft())) {
      return usedUp();
    }
    return row.due() ? GONE : LockListLine.notDue(row);
  }

  private String usedUp() {
    return "its retries are used up; 'recorder lock release %s --retries N' allows more"
        .formatted(address.options());
  }
}
