package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.lock.postgres.AdvisoryRow;
import dev.recorder.lock.postgres.MutexRow;
import dev.recorder.lock.postgres.TimeoutRow;
import dev.recorder.lock.redis.RedisLockRow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock of any kind, as commands show it.
 *
 * @param name the name for people
 * @param state held, waiting, taken, free, due, not due or used up
 * @param holder the holder, last holder or waiter
 * @param since when the state began, if known
 * @param more the JSON members that only this kind of lock has
 */
record LockListLine(
    LockKind kind,
    String name,
    String state,
    @Nullable String holder,
    @Nullable Instant since,
    @Nullable Long token,
    JsonObject more) {

  static LockListLine of(AdvisoryRow row) {
    return new LockListLine(
        LockKind.ADVISORY,
        row.label(),
        row.granted() ? "held" : "waiting",
        row.application(),
        row.since(),
        null,
        new JsonObject()
            .with("lockid", row.lockId())
            .with("recorder", row.recorder())
            .with("name", row.name())
            .with("key", row.lockId() == null ? "%016x".formatted(row.key()) : null)
            .with("session_pid", row.pid())
            .with("address", row.address()));
  }

  static LockListLine of(MutexRow row) {
    return new LockListLine(
        LockKind.MUTEX,
        LockAddress.label(row.queue(), row.id()),
        row.acquired() ? "taken" : isUsedUp(row.retriesLeft()) ? "used up" : "free",
        row.owner(),
        row.acquiredAt(),
        row.token(),
        new JsonObject()
            .with("queue", row.queue())
            .with("retries_left", row.retriesLeft())
            .with("released_at", row.releasedAt()));
  }

  static LockListLine of(TimeoutRow row) {
    return new LockListLine(
        LockKind.TIMEOUT,
        LockAddress.label(row.queue(), row.id()),
        isUsedUp(row.retriesLeft()) ? "used up" : row.due() ? "due" : "not due",
        row.owner(),
        row.acquiredAt(),
        row.token(),
        new JsonObject()
            .with("queue", row.queue())
            .with("retries_left", row.retriesLeft())
            .with("due_at", row.dueAt()));
  }

  static LockListLine of(RedisLockRow row) {
    return new LockListLine(
        LockKind.REDIS,
        row.name(),
        "held",
        row.worker(),
        null,
        row.token(),
        new JsonObject()
            .with("remaining_ms", row.remaining() == null ? null : row.remaining().toMillis()));
  }

  static boolean isUsedUp(@Nullable Integer retriesLeft) {
    return retriesLeft != null && retriesLeft == 0;
  }

  // ---- Sentences

  static String takenBy(MutexRow row) {
    return "taken by " + machine(row.owner()) + since(" since ", row.acquiredAt());
  }

  static String notDue(TimeoutRow row) {
    return "not due" + since(" before ", row.dueAt()) + "; " + lastHad(row);
  }

  static String lastHad(TimeoutRow row) {
    return machine(row.owner()) + " had it" + since(" at ", row.acquiredAt());
  }

  static String remainingInWords(RedisLockRow row) {
    return row.remaining() == null
        ? ", forever"
        : ", for " + row.remaining().toMillis() + " ms unless it is renewed";
  }

  /** Returns the host in the owner of a row, which has the form {@code host/process/attempt}. */
  private static String machine(@Nullable String owner) {
    return owner == null ? "an unknown owner" : owner.replaceFirst("/[^/]*/[^/]*$", "");
  }

  private static String since(String word, @Nullable Instant time) {
    return time == null ? "" : word + time.truncatedTo(ChronoUnit.SECONDS);
  }

  // ---- Lists

  static ListColumns<LockListLine> table() {
    return new ListColumns<LockListLine>()
        .text("KIND", "kind", line -> line.kind().word())
        .text("LOCK", "lock", LockListLine::name)
        .text("STATE", "state", LockListLine::state)
        .text("HOLDER", "holder", LockListLine::holder)
        .text("SINCE", "since", LockListLine::since)
        .number("TOKEN", "token", LockListLine::token)
        .text("DUE", line -> line.more().get("due_at"))
        .number("RETRIES LEFT", line -> line.more().get("retries_left"))
        .number("REMAINING MS", line -> line.more().get("remaining_ms"))
        .members(LockListLine::more);
  }

  JsonObject json() {
    return table().json(this);
  }
}
