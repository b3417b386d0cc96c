package dev.recorder.operate.rebase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.testing.servers.Dump;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import org.junit.jupiter.api.Test;

/** A move to a server with higher transaction numbers, where nothing has to be renumbered. */
class HigherNumbersIT {
  private final MemoryStore store = new MemoryStore();

  @Test
  void noIdIsGivenTwiceWhereTheSequenceHasNotComeWithTheRows() throws Exception {
    try (PostgresServer first = PostgresServer.start();
        PostgresServer second = PostgresServer.start()) {
      second.advanceTo(first.nextXid() + 4_000);
      RebaseSite old = new RebaseSite(first, store);
      assertThat(old.setUp()).isEmpty();
      old.insert("a", "b", "c");
      old.record(1);
      old.insert("d");

      RebaseSite renamed = moved(old, TestDatabase.createOn(second, TestDatabase.ROLE));
      renamed.assertRebaseRefused(DatabaseErrorKind.UNUSABLE, "setval(");

      RebaseSite same = moved(old, old.database.createAgainOn(second, TestDatabase.ROLE));
      // The test's servers are copies of one, and have its system identifier.
      same.run(
          "UPDATE recorder.lock_recorders SET database = regexp_replace(database, '^\\d+', '1')");
      String refusal = same.setUp();
      assertThat(refusal).startsWith("ids of new rows would be those of old ones: sequence ");
      same.run(refusal.substring(refusal.indexOf("SELECT")));
      assertThat(same.setUp()).isEmpty();
      same.insert("e");
      assertThat(same.ask("SELECT id || key FROM handoff.orders ORDER BY id"))
          .containsExactly("1a", "2b", "3c", "4d", "5e");
    }
  }

  private RebaseSite moved(RebaseSite old, TestDatabase to) throws Exception {
    RebaseSite moved = new RebaseSite(to, store).createTables();
    Dump.of(old.database, "recorder", "handoff").withoutSequences().restoreInto(moved.database);
    return moved;
  }
}
