package dev.recorder.capture.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a captured UPDATE of many rows needs in temporary files, and who is told. */
class TemporaryFilesIT extends WithCaptureSite {
  private static final int ROWS = Integer.getInteger("temporary.rows", 50_000);

  private static final String TEMPORARY =
      "SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()";

  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE item (id int PRIMARY KEY, note text)",
        "INSERT INTO item SELECT i, repeat('x', 200) FROM generate_series(1, " + ROWS + ") i");
    site.capture("item");
  }

  @Test
  void anUpdateOfAllRowsNeedsSomeTimesTheirBytes() throws Exception {
    long table = number("SELECT pg_relation_size('item')");
    long before = number(TEMPORARY);

    site.run("UPDATE item SET note = repeat('y', 200)");

    await().until(() -> number(TEMPORARY) > before + table);
    long needed = number(TEMPORARY) - before;
    assertThat((double) needed / table).isBetween(4.0, 7.0);
    System.out.printf(
        "figure: UPDATE of %d rows, table %d MB: temporary files %d MB, %.1f times%n",
        ROWS, table >> 20, needed >> 20, (double) needed / table);
  }

  @Test
  void aLimitThatIsLowerIsFoundWhoeverItIsSetFor() throws Exception {
    site.database.execute("ANALYZE item");
    assertThat(findings()).isEmpty();

    String role = "ALTER ROLE " + CaptureSite.APPLICATION + " IN DATABASE " + site.database.name();
    site.database.execute(role + " SET temp_file_limit = '16MB'");
    assertThat(findings())
        .singleElement()
        .asString()
        .contains("temporary files", "temp_file_limit is 16 MB for role capture_shop");

    site.database.execute(
        role + " SET temp_file_limit = -1",
        "ALTER DATABASE " + site.database.name() + " SET temp_file_limit = 2000");
    assertThat(findings())
        .singleElement()
        .asString()
        .contains("temp_file_limit is 2000 kB for all roles of this database");
  }

  private List<String> findings() {
    try (Captures captures = site.captures()) {
      return captures.check().stream()
          .map(CaptureFinding::text)
          .filter(text -> text.contains("temp_file_limit"))
          .toList();
    }
  }

  private long number(String sql) throws SQLException {
    return site.database.query(sql, row -> row.getLong(1)).get(0);
  }
}
