package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database whose administrator has given its sessions other defaults than the server's. */
@Timeout(300)
class OddDefaultsIT {
  private static final String[][] DEFAULTS = {
    {"search_path", "public"},
    {"array_nulls", "off"},
    {"transform_null_equals", "on"},
    {"quote_all_identifiers", "on"},
    {"standard_conforming_strings", "off"},
    {"default_transaction_isolation", "serializable"},
    {"default_transaction_deferrable", "on"},
    {"synchronous_commit", "off"},
    {"idle_session_timeout", "1500"},
    {"idle_in_transaction_session_timeout", "1"},
    {"TimeZone", "Asia/Kathmandu"},
    {"DateStyle", "SQL, DMY"},
    {"IntervalStyle", "sql_standard"},
    {"extra_float_digits", "-15"},
    {"bytea_output", "escape"},
    {"xmloption", "document"},
    {"enable_indexscan", "off"},
    {"plan_cache_mode", "force_generic_plan"},
    {"client_min_messages", "error"},
  };

  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void create() throws Exception {
    site = TestSite.create(folder);
    for (String[] each : DEFAULTS) {
      site.database.execute(
          "ALTER DATABASE %s SET %s = %s"
              .formatted(site.database.name(), each[0], quoted(each[1])));
    }
  }

  private static String quoted(String value) {
    return value.matches("[A-Z].*[/,].*|-15") ? "'" + value + "'" : value;
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void aHostRecordsAndCommandsAnswerAsAnywhere() throws Exception {
    site.start();
    site.record("orders", 3);
    site.execute("INSERT INTO handoff.orders (payload) VALUES ('{\"a\": \"\\u00e9\"}')");
    site.record("orders", 1);

    site.run("check", "--online").exits(0);
    site.run("status").exits(0);
    site.run("verify", "orders").exits(0);
    site.run("takeovers").exits(0);
    assertThat(site.ask("SELECT count(*) FROM recorder.takeovers WHERE reason = 'start'"))
        .isEqualTo("2");
  }
}
