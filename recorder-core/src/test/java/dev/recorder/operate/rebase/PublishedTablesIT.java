package dev.recorder.operate.rebase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.servers.Dump;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tables of ours that a publication has, which lets through no change of a row without identity.
 */
class PublishedTablesIT {
  /** More than a test uses up on the new server. */
  private static final long AHEAD = 2_000;

  private static final String LEAF = SchemaNames.DEFAULT.handoffLeaf(RebaseSite.ORDERS, 3);

  private final MemoryStore store = new MemoryStore();
  private PostgresServer newServer;
  private RebaseSite old;
  private RebaseSite restored;

  @BeforeEach
  void createDatabases() throws Exception {
    newServer = PostgresServer.start();
    PostgresServer.shared().advanceTo(newServer.nextXid() + AHEAD);
    old = new RebaseSite(PostgresServer.shared(), store).createTables();
    restored = new RebaseSite(newServer, store).createTables();
    old.setUp();
  }

  @AfterEach
  void close() throws Exception {
    old.close();
    newServer.close();
  }

  @Test
  void eachTakesEveryChange() throws Exception {
    old.database.execute("CREATE PUBLICATION everything FOR ALL TABLES");

    int changed = 0;
    for (String statement :
        old.ask(
            """
            SELECT format('UPDATE %s SET %I = %2$I WHERE false; DELETE FROM %1$s WHERE false',
              c.oid::regclass, (SELECT attname FROM pg_attribute a
                WHERE a.attrelid = c.oid AND attnum > 0 AND attidentity = '' AND NOT attisdropped
                ORDER BY attnum LIMIT 1))
            FROM pg_class c WHERE relkind IN ('r', 'p')
              AND relnamespace IN ('recorder'::regnamespace, 'handoff'::regnamespace)
            """)) {
      old.run(statement);
      changed++;
    }

    assertThat(changed).isGreaterThan(20);
  }

  @Test
  void aRebaseRenumbersTheRowsOfPublishedOnes() throws Exception {
    moved();
    restored.database.execute("CREATE PUBLICATION everything FOR ALL TABLES");

    restored.assertRebases(0, 1, 1);
  }

  @Test
  void aRebaseThatCannotIsRefusedBeforeItBeginsAndInItsDryRun() throws Exception {
    moved();
    restored.database.execute(
        "CREATE PUBLICATION part FOR TABLE handoff.orders",
        "ALTER TABLE " + LEAF + " REPLICA IDENTITY DEFAULT");
    String remedy = "ALTER TABLE " + LEAF + " REPLICA IDENTITY FULL;";
    String row = "SELECT r::text FROM recorder.lock_recorders r";
    Object unchanged = restored.ask(row);

    try (Rebase rebase = restored.rebase()) {
      assertThatThrownBy(rebase::preview).hasMessageEndingWith("run: " + remedy);
    }
    restored.assertRebaseRefused(DatabaseErrorKind.UNUSABLE, remedy);
    assertThat(restored.ask(row)).isEqualTo(unchanged);

    restored.run(remedy);
    restored.assertRebases(0, 1, 1);
  }

  @Test
  void aRebaseHasCapturedChangesNumberedBehindThoseOfTheLog() throws Exception {
    moved();
    restored.database.execute("CREATE SEQUENCE recorder.capture_orders_seq");
    String grant =
        restored
            .database
            .query(
                "SELECT format('GRANT SELECT, UPDATE ON SEQUENCE recorder.capture_orders_seq TO"
                    + " %s;', tableowner) FROM pg_tables WHERE tablename = 'orders'",
                found -> found.getString(1))
            .get(0);

    try (Rebase rebase = restored.rebase()) {
      assertThatThrownBy(rebase::preview).hasMessageEndingWith(grant);
    }
    restored.assertRebaseRefused(DatabaseErrorKind.RIGHTS, grant);

    restored.database.execute(grant);
    restored.assertRebases(0, 1, 1);
    assertThat(
            restored.ask(
                "SELECT nextval('recorder.capture_orders_seq')"
                    + " > extract(epoch FROM now() - interval '1 minute') * 1000000"))
        .containsExactly("t");
  }

  private void moved() throws Exception {
    old.insert("a", "b");
    old.record(1, 1);
    Dump.of(old.database, "recorder", "handoff").restoreInto(restored.database);
  }
}
