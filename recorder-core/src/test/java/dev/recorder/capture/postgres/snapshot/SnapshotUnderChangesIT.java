package dev.recorder.capture.postgres.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.SnapshotSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.testing.Patience;
import dev.recorder.testing.RandomTransactions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Clients insert, change, move, delete and truncate rows at random while snapshots of the tables
 * are taken, whose sessions are ended in between, and while the log is cut and replayed. Before
 * each round rows change without a trigger that sees it. At rest the replayed tables are the same.
 */
class SnapshotUnderChangesIT {
  private static final long SEED = Long.getLong("snapshot.seed", 16);
  private static final int ROUNDS = Integer.getInteger("snapshot.rounds", 4);
  private static final int CLIENTS = 3;
  private static final int IDS = 20_000;
  private static final String[] TABLES = {"public.account", "public.measure"};

  private final Random random = new Random(SEED);
  private int ended;

  @Test
  void whateverChangesMeanwhileTheTablesAreTheSameAtRest() throws Exception {
    try (SnapshotSite site = new SnapshotSite()) {
      site.source.database.execute(
          "ALTER DATABASE " + site.source.database.name() + " SET deadlock_timeout = '200ms'");
      site.account(IDS);
      site.source.run(
          "CREATE TABLE public.measure (id integer, about integer, note text, PRIMARY KEY (id,"
              + " about)) PARTITION BY RANGE (about)",
          "CREATE TABLE public.m_low PARTITION OF public.measure FOR VALUES FROM (0) TO (50)",
          "CREATE TABLE public.m_high PARTITION OF public.measure DEFAULT",
          "INSERT INTO public.measure SELECT i, i % 100, repeat('m', 200)"
              + " FROM generate_series(1, 6000) i");
      for (String table : TABLES) {
        site.capture(table, OldImage.KEY, false);
      }
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      try {
        for (int round = 0; round < ROUNDS; round++) {
          round(site, threads);
        }
      } finally {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(Patience.A_MINUTE.toSeconds(), TimeUnit.SECONDS))
            .isTrue();
      }
      assertThat(ended).as("snapshots whose session was ended").isPositive();
    }
  }

  private void round(SnapshotSite site, ExecutorService threads) throws Exception {
    site.unseen(
        "DELETE FROM public.account WHERE id % 7 = " + random.nextInt(7),
        "UPDATE public.account SET name = 'unseen' WHERE id % 11 = " + random.nextInt(11),
        "INSERT INTO public.account SELECT i, 'new', repeat('y', 300) FROM generate_series(1, 500)"
            + " i ON CONFLICT DO NOTHING",
        "DELETE FROM public.measure WHERE about = " + random.nextInt(100));
    AtomicBoolean stopping = new AtomicBoolean();
    List<Future<Integer>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      RandomTransactions client =
          new RandomTransactions(
              site.source.database,
              new Random(random.nextLong()),
              SnapshotUnderChangesIT::change,
              6);
      clients.add(threads.submit(() -> client.run(() -> !stopping.get())));
    }
    try {
      for (String table : TABLES) {
        while (!snapshot(site, table)) {
          site.source.record(1 + random.nextInt(2_000), 1 + random.nextInt(3));
          site.replay();
        }
      }
    } finally {
      stopping.set(true);
    }
    int committed = 0;
    for (Future<Integer> client : clients) {
      committed += client.get();
    }
    System.out.println("figure: round with " + committed + " transactions beside snapshots");
    for (String table : TABLES) {
      site.provesEqual(table);
    }
  }

  /** Whether it came to its end. */
  private boolean snapshot(SnapshotSite site, String table) throws Exception {
    int chunks = random.nextInt(8);
    int[] taken = {0};
    try {
      site.snapshot(
          table,
          (rows, percent) -> {
            if (taken[0]++ == chunks) {
              endSession(site);
            }
          });
      return true;
    } catch (DatabaseException broken) {
      assertThat(broken.kind()).as(broken.getMessage()).isEqualTo(DatabaseErrorKind.UNREACHABLE);
      ended++;
      return false;
    }
  }

  private static void endSession(SnapshotSite site) {
    try {
      site.source.database.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name LIKE 'recorder/admin/%' AND datname = current_database()");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String change(Random random) {
    int id = 1 + random.nextInt(IDS);
    int other = 1 + random.nextInt(IDS);
    int about = random.nextInt(100);
    return switch (random.nextInt(13)) {
      case 0 -> "DELETE FROM public.account WHERE id = " + id;
      case 1 -> "UPDATE public.account SET id = %d WHERE id = %d".formatted(other, id);
      case 2 ->
          "UPDATE public.account SET name = 'many' WHERE id BETWEEN %d AND %d"
              .formatted(id, id + random.nextInt(200));
      case 3 -> "UPDATE public.account SET id = -id WHERE id IN (%d, %d)".formatted(id, -other);
      case 4 ->
          random.nextInt(400) == 0
              ? "TRUNCATE public.account"
              : "DELETE FROM public.measure WHERE id = " + id % 6_000;
      case 5, 6 ->
          "UPDATE public.measure SET about = %d WHERE id = %d".formatted(about, id % 6_000);
      case 7 ->
          "INSERT INTO public.measure VALUES (%d, %d, 'new') ON CONFLICT (id, about) DO UPDATE SET"
                  .formatted(id % 7_000, about)
              + " note = 'again'";
      case 8 -> random.nextInt(200) == 0 ? "TRUNCATE public.m_low" : "SELECT 1";
      case 9 ->
          "UPDATE public.account SET note = repeat('z', %d) WHERE id = %d".formatted(about, id);
      default ->
          ("INSERT INTO public.account VALUES (%d, 'o%d', repeat('w', 300))"
                  + " ON CONFLICT (id) DO UPDATE SET name = account.name || '+'")
              .formatted(id, other);
    };
  }
}
