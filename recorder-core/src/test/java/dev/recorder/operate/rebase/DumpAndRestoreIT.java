package dev.recorder.operate.rebase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.ServerPrograms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that moves by {@code pg_dump} and {@code pg_restore}, as the runbook says: roles
 * first, then the dump, then a rebase.
 */
class DumpAndRestoreIT {
  /** More than the test uses up on the new server. */
  private static final long AHEAD = 2_000;

  @TempDir private Path folder;
  private final MemoryStore store = new MemoryStore();

  @Test
  void theLogGoesOnInTheRestoredDatabaseAfterARebase() throws Exception {
    assumeThat(ServerPrograms.missing(ServerPrograms.SYSTEM)).isEmpty();
    ServerPrograms programs = ServerPrograms.of(ServerPrograms.SYSTEM);
    for (String program : List.of("pg_dump", "pg_dumpall", "pg_restore", "psql")) {
      assumeThat(programs.has(program)).as(program + " is installed").isTrue();
    }
    try (PostgresServer first = PostgresServer.builder().with(ServerPrograms.SYSTEM).start();
        PostgresServer second = PostgresServer.builder().with(ServerPrograms.SYSTEM).start()) {
      first.advanceTo(second.nextXid() + AHEAD);
      RebaseSite old = new RebaseSite(first, store);
      assertThat(old.setUp()).isEmpty();
      old.insert("a", "b", "c");
      old.record(2);
      old.insert("d");
      String roles = folder.resolve("roles.sql").toString();
      String dump = folder.resolve("dump").toString();

      on(first, programs, "pg_dumpall", "--roles-only", "--file=" + roles);
      on(
          first,
          programs,
          "pg_dump",
          "--format=custom",
          "--schema=recorder",
          "--schema=handoff",
          "--file=" + dump,
          old.database.name());
      on(second, programs, "psql", "--file=" + roles, "postgres");
      on(
          second,
          programs,
          "psql",
          "--command=CREATE DATABASE " + old.database.name() + " OWNER recorder",
          "postgres");
      on(
          second,
          programs,
          "pg_restore",
          "--exit-on-error",
          "--dbname=" + old.database.name(),
          dump);

      RebaseSite restored = new RebaseSite(old.database.on(second), store);
      assertThat(restored.setUp()).contains("recorder rebase orders");
      restored.assertRebases(0, 3, 1);
      restored.insert("e");
      assertThat(restored.setUp()).isEmpty();
      restored.record(1);
      assertThat(restored.keys()).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
      assertThat(restored.verify().ok()).isTrue();
      assertThat(store.objects().keySet().stream().filter(key -> key.contains("/0"))).hasSize(4);
    }
  }

  private static void on(
      PostgresServer server, ServerPrograms programs, String program, String... arguments)
      throws IOException {
    programs.client(
        Map.of(
            "PGHOST",
            "127.0.0.1",
            "PGPORT",
            Integer.toString(server.port()),
            "PGUSER",
            PostgresServer.SUPERUSER),
        program,
        arguments);
  }
}
