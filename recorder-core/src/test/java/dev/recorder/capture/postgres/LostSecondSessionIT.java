package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.snapshot.SnapshotState;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A snapshot whose second session ends when it has no chunk in hand goes on, and ends, without. */
class LostSecondSessionIT extends WithSnapshotSite {
  private static final String ACCOUNT = "public.account";
  private static final int ROWS = 5_000;

  private final AtomicInteger second = new AtomicInteger();
  private Sessions sessions;

  @BeforeEach
  void create() throws Exception {
    site.account(ROWS);
    site.capture(ACCOUNT, OldImage.KEY, false);
    sessions = new Sessions(TestSettings.as(PostgresServer.SUPERUSER, site.source.database), "two");
  }

  @Test
  void beforeItsFirstChunk() throws Exception {
    Set<String> threads = new HashSet<>();

    SnapshotState last =
        snapshot(
            () -> {
              Connection opened = open();
              end();
              return Optional.of(opened);
            },
            (rows, percent) -> threads.add(Thread.currentThread().getName()));

    assertThat(second).hasPositiveValue();
    assertThat(threads).containsExactly(Thread.currentThread().getName());
    hasAll(last);
  }

  @Test
  void afterTheLastChunk() throws Exception {
    AtomicInteger atTheEnd = new AtomicInteger();

    SnapshotState last =
        snapshot(
            () -> Optional.of(open()),
            (rows, percent) -> {
              if (percent == 100) {
                atTheEnd.incrementAndGet();
                end();
              }
            });

    assertThat(second).hasPositiveValue();
    assertThat(atTheEnd).hasPositiveValue();
    hasAll(last);
  }

  private SnapshotState snapshot(
      Supplier<Optional<Connection>> another, SnapshotState.SnapshotProgress progress)
      throws Exception {
    CaptureNames names = new CaptureNames(sessions.schemas());
    try (Captures captures =
        new Captures(sessions.openForQueries(), names, TestDatabase.ROLE, another)) {
      return captures.snapshot(RebaseSite.ORDERS, ACCOUNT, false, progress);
    }
  }

  private void hasAll(SnapshotState last) throws Exception {
    assertThat(last.rows()).isEqualTo(ROWS);
    assertThat(last.endedAt()).isNotNull();
    assertThat(site.count("snapshot")).as("none twice").isEqualTo(ROWS);
    site.provesEqual(ACCOUNT);
  }

  private Connection open() {
    Connection opened = sessions.openForQueries();
    try (Statement statement = opened.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      second.set(row.getInt(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return opened;
  }

  /** Waits until it is gone. */
  private void end() {
    try {
      site.source.database.execute("SELECT pg_terminate_backend(" + second + ", 60000)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
