package dev.recorder.capture.postgres.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.testing.Patience;
import java.sql.Connection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transaction that changes what a chunk is about to read, and ends at the worst moment. */
class SnapshotInterleavingIT extends WithSnapshotSite {
  private static final String ACCOUNT = "public.account";
  private static final int ROWS = 3_000;

  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @BeforeEach
  void create() throws Exception {
    site.account(ROWS);
    site.capture(ACCOUNT, OldImage.KEY, false);
  }

  @AfterEach
  void close() throws Exception {
    thread.shutdownNow();
  }

  /** The change has the smaller number; an unlocked read would put the old row after it. */
  @Test
  void aRowThatIsBeingChangedIsWaitedFor() throws Exception {
    whileOpen("UPDATE public.account SET name = 'newer' WHERE id = 7");
  }

  @Test
  void soIsOneThatIsBeingDeleted() throws Exception {
    whileOpen("DELETE FROM public.account WHERE id = 7");
  }

  /** The new version of its row lies beyond the chunk, and does not make that one longer. */
  @Test
  void soIsOneThatMovesBeyondWhatIsRead() throws Exception {
    whileOpen("UPDATE public.account SET id = 1000000, note = repeat('n', 5000) WHERE id = 7");
  }

  @Test
  void soIsATruncation() throws Exception {
    whileOpen("TRUNCATE public.account", "INSERT INTO public.account VALUES (1, 'again')");
  }

  private void whileOpen(String... statements) throws Exception {
    try (Connection open = site.begin(statements)) {
      Future<SnapshotState> snapshot = thread.submit(() -> site.snapshot(ACCOUNT));
      awaitInTheWay(snapshot);
      assertThat(snapshot.isDone()).as("handed over what is being changed").isFalse();
      open.commit();
      snapshot.get();
    }
    site.provesEqual(ACCOUNT);
  }

  @Test
  void whoeverWritesToOtherRowsOfTheChunkDoesNotWaitForTheOneThatItWaitsFor() throws Exception {
    try (Connection open = site.begin("UPDATE public.account SET name = 'newer' WHERE id = 900")) {
      Future<SnapshotState> snapshot = thread.submit(() -> site.snapshot(ACCOUNT));
      awaitInTheWay(snapshot);
      site.source.run(
          "SET lock_timeout = '10s'", "UPDATE public.account SET name = 'other' WHERE id < 900");
      assertThat(snapshot.isDone()).isFalse();
      open.commit();
      snapshot.get();
    }
    site.provesEqual(ACCOUNT);
  }

  /** What lies in its way keeps the other session from its turn, too, but that holds nothing. */
  @Test
  void norDoesWhoeverWritesToRowsOfAnotherChunk() throws Exception {
    try (Connection open = site.begin("UPDATE public.account SET name = 'newer' WHERE id = 7")) {
      Future<SnapshotState> snapshot = thread.submit(() -> site.snapshot(ACCOUNT));
      awaitInTheWay(snapshot);
      site.source.run(
          "SET lock_timeout = '10s'", "UPDATE public.account SET name = 'other' WHERE id > 700");
      assertThat(snapshot.isDone()).isFalse();
      open.commit();
      snapshot.get();
    }
    site.provesEqual(ACCOUNT);
  }

  @Test
  void aTruncationBetweenChunksLeavesNothingOfWhatWasRead() throws Exception {
    AtomicBoolean once = new AtomicBoolean();

    site.snapshot(
        ACCOUNT,
        (rows, percent) -> {
          if (once.compareAndSet(false, true)) {
            try {
              site.source.run(
                  "TRUNCATE public.account",
                  "INSERT INTO public.account SELECT i, 'again' FROM generate_series(1, 50) i");
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }
        });

    site.provesEqual(ACCOUNT);
  }

  /** Until it waits for a lock, or has ended. */
  private void awaitInTheWay(Future<?> snapshot) {
    Patience.await()
        .until(
            () ->
                snapshot.isDone()
                    || site.source.database.number(
                            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                + " AND application_name LIKE 'recorder/admin/%'"
                                + " AND datname = current_database()")
                        > 0);
  }
}
