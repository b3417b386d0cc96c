package dev.recorder.clearing.race;

import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Producers of short transactions: each inserts a row by itself, pauses for a moment, and does so
 * again, on a connection and a thread of its own.
 */
final class Commuters implements AutoCloseable {
  private static final String NEW = "INSERT INTO handoff.orders (key, payload) VALUES (?, '{}')";
  private static final String LATE =
      "INSERT INTO handoff.orders (id, key, payload) OVERRIDING SYSTEM VALUE VALUES (%d, ?, '{}')";

  /** Ids of theirs begin here, in the first block. */
  private static final long LATE_IDS = 1_000_000;

  private final TestDatabase database;
  private final int pauseMillis;
  private final AtomicBoolean goOn = new AtomicBoolean(true);
  private final List<AtomicLong> inserted = new ArrayList<>();
  private final List<CompletableFuture<Void>> threads = new ArrayList<>();
  private final AtomicLong longestNanos = new AtomicLong();

  Commuters(TestDatabase database, int pauseMillis) {
    this.database = database;
    this.pauseMillis = pauseMillis;
  }

  /** One whose rows come where new ones do. */
  Commuters withNewRows() {
    return with(false);
  }

  /** One that drew its ids long ago: its rows come into the leaf that is to be emptied. */
  Commuters withLateRows() {
    return with(true);
  }

  private Commuters with(boolean late) {
    AtomicLong count = new AtomicLong();
    inserted.add(count);
    threads.add(CompletableFuture.runAsync(() -> insertAll(count, late)));
    return this;
  }

  private void insertAll(AtomicLong count, boolean late) {
    try (Connection connection = database.connect()) {
      while (goOn.get()) {
        long row = count.get() + 1;
        long begun = System.nanoTime();
        String sql = late ? LATE.formatted(LATE_IDS + row) : NEW;
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
          insert.setString(1, (late ? "late" : "new") + row);
          insert.executeUpdate();
        }
        longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
        count.set(row);
        Thread.sleep(pauseMillis);
      }
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Until each of them has come through so many times more. */
  void awaitEach(int times) {
    List<Long> enough = inserted.stream().map(count -> count.get() + times).toList();
    Patience.await("inserts of each producer")
        .pollDelay(Duration.ofMillis(1))
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              threads.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
              return IntStream.range(0, enough.size())
                  .allMatch(i -> inserted.get(i).get() >= enough.get(i));
            });
  }

  long total() {
    return inserted.stream().mapToLong(AtomicLong::get).sum();
  }

  long longestMillis() {
    return longestNanos.get() / 1_000_000;
  }

  /** They end when what they are at has come through. */
  @Override
  public void close() {
    goOn.set(false);
    threads.forEach(CompletableFuture::join);
  }
}
