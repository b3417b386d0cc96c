package dev.recorder.app.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.log.SqlCommand.Engine;
import dev.recorder.app.config.TestIni;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scripts for engines. DuckDB runs its own. */
class SqlCommandTest {
  private static final int SLOTS = 6;
  private static final int OF_TABLE = 4;

  @TempDir private Path folder;

  private TestIni file() {
    return TestIni.minimal(folder).with("s3", "prefix = prod/rows");
  }

  private static Run sql(TestIni file, Engine engine) {
    return Run.command(file.write(), "sql", "orders", "--for", engine.word());
  }

  @ParameterizedTest
  @EnumSource
  void theScriptNamesSlotsAndTable(Engine engine) {
    sql(file().with("recorder:orders", "table = delta"), engine)
        .exits(ExitCode.OK)
        .saysNothing()
        .prints("bucket/prod/rows/orders/", "prod/rows/orders.delta/", "rows")
        .doesNotPrint("~~~");
  }

  @ParameterizedTest
  @EnumSource
  void theChangesOfEachCapturedTableHaveANameOfTheirOwn(Engine engine) {
    sql(
            file()
                .with(
                    "recorder:orders",
                    "table = delta",
                    "capture = shop.\"Big Order\", shop.big_order"),
            engine)
        .exits(ExitCode.OK)
        .prints("prod/rows/orders.tables/shop.Big%20Order.delta/", "orders_shop_big_order")
        .prints("prod/rows/orders.tables/shop.big_order.delta/", "orders_shop_big_order_2")
        .doesNotPrint("~~~");
  }

  @ParameterizedTest
  @EnumSource
  void withoutATableItOnlyNamesTheSlots(Engine engine) {
    sql(file(), engine)
        .exits(ExitCode.OK)
        .prints("bucket/prod/rows/orders/")
        .doesNotPrint("delta/", "_rows", "~~~");
  }

  @ParameterizedTest
  @EnumSource
  void anotherStoreIsNamedOrRefused(Engine engine) {
    Run run = sql(file().with("s3", "endpoint = http://store:9000"), engine);

    if (engine.takesEndpoint()) {
      run.exits(ExitCode.OK).prints("store:9000").doesNotPrint("amazonaws");
    } else {
      run.exits(ExitCode.USAGE).inOneLine().says(engine.word(), "http://store:9000");
    }
  }

  @Test
  void aPrefixThatEnginesWouldReadOtherwiseIsRefused() {
    sql(file().set("s3", "prefix = it's"), Engine.DUCKDB)
        .exits(ExitCode.USAGE)
        .inOneLine()
        .says("it's");
  }

  @Test
  void documentsAreNoLog() {
    Run.command(
            file().with("recorder:jobs", "lockid = 2", "kind = requests").write(),
            "sql",
            "jobs",
            "--for",
            "duckdb")
        .exits(ExitCode.USAGE)
        .says("recorder 'jobs' has no log");
  }

  /** An object that the table has is not one: a script that read it would fail. */
  @Test
  void duckDbHasEachRowOnceAndDoesNotReadSlotsThatTheTableHas() throws Exception {
    String script =
        sql(file().with("recorder:orders", "table = delta"), Engine.DUCKDB)
            .out()
            .replaceAll("(?m)^(INSTALL|CREATE OR REPLACE SECRET) .*$", "")
            .replace("delta_scan('s3://", "read_parquet('s3://")
            .replace(".delta/'", ".delta/rows.parquet'")
            .replace("s3://", folder + "/");
    for (int slot = 1; slot <= SLOTS; slot++) {
      write(slot, line(slot));
    }
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      Path table = Files.createDirectories(folder.resolve("bucket/prod/rows/orders.delta"));
      statement.execute(script.substring(0, script.indexOf("-- The table.")));
      statement.execute(
          "COPY (SELECT * EXCLUDE filename FROM orders_slots WHERE slot <= %d) TO '%s/rows.parquet'"
              .formatted(OF_TABLE, table));
      for (int slot = 1; slot <= OF_TABLE; slot++) {
        write(slot, "no JSON");
      }

      statement.execute(script);

      assertThat(numbers(statement, "SELECT slot FROM orders_rows ORDER BY slot"))
          .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
      assertThat(numbers(statement, "SELECT CAST(payload ->> '$.n' AS BIGINT) FROM orders_rows"))
          .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L);
    }
  }

  private static List<Long> numbers(Statement statement, String sql) throws Exception {
    List<Long> numbers = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        numbers.add(rows.getLong(1));
      }
    }
    return numbers;
  }

  private static String line(int slot) {
    return """
        {"id":%1$d,"xid":7%1$d,"time":"2026-01-02T03:04:05.67890%1$dZ","key":"k","payload":{"n":%1$d}}
        """
        .formatted(slot);
  }

  private void write(int slot, String content) throws IOException {
    Path slots = Files.createDirectories(folder.resolve("bucket/prod/rows/orders"));
    Path object = slots.resolve(String.format(Locale.ROOT, "%020d.ndjson.gz", slot));
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(object))) {
      out.write(content.getBytes(UTF_8));
    }
  }
}
