package dev.recorder.clearing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A leaf that was proved and could not be emptied, as somebody reads it for a while. */
class KeptProofIT {
  private static final String FIRST = RebaseSite.LAYOUT.slotKey(1);

  private final AtomicLong minutes = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private int read;
  private ClearingSite site;
  private Connection reader;
  private LogClearing clearing;

  @BeforeEach
  void proveWithAReaderInTheWay() throws Exception {
    site =
        new ClearingSite(
            TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE), new MemoryStore());
    reader = site.log.database.connect();
    reader.setAutoCommit(false);
    clearing =
        new LogClearing(
            site.log.store,
            RebaseSite.LAYOUT,
            this::readsBeforeTheFirstObjectIsRead,
            this::countsWhatIsRead,
            () -> TimeUnit.MINUTES.toNanos(minutes.get()));
    site.record("a");
    site.rotate();
    site.record("b");
    assertThat(turn().why()).startsWith("others use it");
    reader.rollback();
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
    site.close();
  }

  @Test
  void anObjectThatHasGoneSinceKeepsTheRows() throws Exception {
    ObjectStore.Body object = site.log.store.objects().get(FIRST);
    site.log.store.delete(FIRST);
    minutes.set(6);

    assertThat(turn().why()).isEqualTo("slot 1: object " + FIRST + " is not in the store");
    assertThat(site.log.keys()).containsExactly("a", "b");

    site.log.store.overwrite(FIRST, object.bytes(), object.metadata());
    minutes.set(7);
    assertThat(turn().isCleared()).isTrue();
  }

  @Test
  void anObjectThatWasReplacedSinceKeepsTheRows() throws Exception {
    ObjectStore.Body second = site.log.store.objects().get(RebaseSite.LAYOUT.slotKey(2));
    site.log.store.overwrite(FIRST, second.bytes(), second.metadata());
    minutes.set(6);

    assertThat(turn().why()).startsWith("slot 1: object " + FIRST + " says it is slot 2");
  }

  @Test
  void objectsThatAreStillThereAreNotReadAgain() throws Exception {
    minutes.set(6);
    assertThat(read).isEqualTo(1);

    assertThat(turn().isCleared()).isTrue();

    assertThat(read).isEqualTo(1);
  }

  private Report turn() throws SQLException {
    return clearing.turn(site.leaves(site.term()), ClearingSite.AT_ONCE).get(0);
  }

  private boolean countsWhatIsRead(long bytes) {
    read += bytes > 0 ? 1 : 0;
    return true;
  }

  private boolean readsBeforeTheFirstObjectIsRead() {
    if (asked.incrementAndGet() == 2) {
      try (Statement statement = reader.createStatement()) {
        statement.execute("SELECT FROM recorder.handoff_orders_0");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
    return true;
  }
}
