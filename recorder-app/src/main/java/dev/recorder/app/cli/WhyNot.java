package dev.recorder.app.cli;

import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.AdvisoryRow;
import dev.recorder.lock.postgres.LockDesk;
import dev.recorder.lock.postgres.MutexRow;
import dev.recorder.lock.postgres.TimeoutRow;
import dev.recorder.lock.redis.RedisDesk;
import dev.recorder.lock.redis.RedisLockRow;
import dev.recorder.postgres.DatabaseException;
import java.util.Optional;

/** Finds out why a lock could not be taken: as of now, which is a moment later. */
record WhyNot(LockAddress address) {
  private static final String GONE = "somebody else had it, and has let go of it meanwhile";

  String inWords() {
    try {
      if (address.kind() == LockKind.REDIS) {
        try (RedisDesk desk = address.redisDesk()) {
          return desk.find(address.name()).map(WhyNot::redis).orElse(GONE);
        }
      }
      try (LockDesk desk = address.desk()) {
        return row(desk);
      }
    } catch (LockException | DatabaseException unknown) {
      return "somebody else has it";
    }
  }

  private String row(LockDesk desk) {
    return switch (address.kind()) {
      case ADVISORY, REDIS ->
          LockAddress.holder(address.advisory(desk))
              .map(AdvisoryRow::session)
              .map(session -> session + " holds it")
              .orElse(GONE);
      case MUTEX -> desk.mutex(address.queue(), address.name()).map(this::mutex).orElse(usedUp());
      case TIMEOUT ->
          desk.timeout(address.queue(), address.name()).map(this::timeout).orElse(usedUp());
    };
  }

  private static String redis(RedisLockRow row) {
    return row.worker() + " holds it" + LockLine.remainingInWords(row);
  }

  private String mutex(MutexRow row) {
    if (row.acquired()) {
      return "%s; if its owner has failed, 'recorder lock release %s --force' releases it"
          .formatted(LockLine.takenBy(row), address.options());
    }
    return isUsedUp(Optional.ofNullable(row.retriesLeft())) ? usedUp() : GONE;
  }

  private String timeout(TimeoutRow row) {
    if (isUsedUp(Optional.ofNullable(row.retriesLeft()))) {
      return usedUp();
    }
    return row.due() ? GONE : LockLine.notDue(row);
  }

  private static boolean isUsedUp(Optional<Integer> retries) {
    return retries.isPresent() && retries.get() == 0;
  }

  private String usedUp() {
    return "its retries are used up; 'recorder lock release %s --retries N' allows more"
        .formatted(address.options());
  }
}
