package dev.recorder.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.TestSite;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one row costs in the log, in the table and in WAL; docs/sizing.md multiplies it. */
@Tag("nightly")
@Timeout(600)
class SizingIT {
  private static final int ROWS = 20_000;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {200, 2_000})
  void aRowCosts(int bytes) throws Exception {
    try (TestSite site = TestSite.create(folder)) {
      site.start();
      site.record("audit", 10); // Each partition has its pages.
      String before = site.ask("SELECT pg_current_wal_insert_lsn()");
      site.execute(insert(bytes));
      site.record("audit", 1);
      long wal =
          Long.parseLong(
              site.ask(
                  "SELECT (pg_current_wal_insert_lsn() - '%s'::pg_lsn)::bigint".formatted(before)));
      long table =
          number(
              site,
              "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('handoff.audit')");
      long lines =
          number(site, "SELECT sum(bytes) FROM recorder.slots WHERE row_count > 0 AND lock_id = 2");

      figure(bytes, "bytes of a line", lines);
      figure(bytes, "bytes of a row in the table, with indexes", table);
      figure(bytes, "bytes of WAL for a row, settling its slot included", wal);
      assertThat(lines / ROWS).isBetween((long) bytes, bytes + 200L);
    }
  }

  private static long number(TestSite site, String sql) throws Exception {
    return Long.parseLong(site.ask(sql));
  }

  /** In transactions of their own, as from applications. */
  private static String insert(int bytes) {
    return """
        DO $$ BEGIN FOR i IN 1..%d LOOP
          INSERT INTO handoff.audit (key, payload) VALUES ('account/' || i %% 1000,
            json_build_object('n', i, 'text',
              left((SELECT string_agg(md5((i * j)::text), '') FROM generate_series(1, 64) j), %d)));
          COMMIT;
        END LOOP; END $$"""
        .formatted(ROWS, bytes - 25);
  }

  private static void figure(int bytes, String what, long total) {
    System.out.printf(
        Locale.ROOT, "figure: payload of %d bytes: %s %d%n", bytes, what, total / ROWS);
  }
}
