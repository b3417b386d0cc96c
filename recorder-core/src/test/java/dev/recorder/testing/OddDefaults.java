package dev.recorder.testing;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an administrator may have given the sessions of a database, each setting as far as possible
 * from what the product rests on. The limits are such that a session can just be opened.
 */
public final class OddDefaults {
  private static final Map<String, String> VALUES = new LinkedHashMap<>();

  static {
    give("statement_timeout", "1s");
    give("lock_timeout", "1s");
    give("transaction_timeout", "1s");
    give("idle_session_timeout", "1500");
    give("idle_in_transaction_session_timeout", "1");
    give("search_path", "public");
    give("array_nulls", "off");
    give("transform_null_equals", "on");
    give("quote_all_identifiers", "on");
    give("standard_conforming_strings", "off");
    give("default_transaction_isolation", "serializable");
    give("default_transaction_deferrable", "on");
    give("exit_on_error", "on");
    give("restrict_nonsystem_relation_kind", "view");
    give("gin_fuzzy_search_limit", "1");
    give("synchronous_commit", "off");
    give("TimeZone", "Asia/Kathmandu");
    give("DateStyle", "SQL, DMY");
    give("IntervalStyle", "sql_standard");
    give("extra_float_digits", "-15");
    give("bytea_output", "escape");
    give("xmloption", "document");
    give("xmlbinary", "hex");
    give("default_text_search_config", "pg_catalog.english");
    give("enable_indexscan", "off");
    give("enable_indexonlyscan", "off");
    give("enable_partition_pruning", "off");
    give("plan_cache_mode", "force_generic_plan");
    give("client_min_messages", "debug1");
    give("plpgsql.extra_errors", "all");
  }

  private OddDefaults() {}

  private static void give(String name, String value) {
    VALUES.put(name, value);
  }

  /** Gives them to the sessions of this database, as far as its server knows them. */
  public static void giveTo(TestDatabase database) throws SQLException {
    for (Map.Entry<String, String> each : VALUES.entrySet()) {
      String name = each.getKey();
      boolean known =
          name.contains(".")
              || database.number("SELECT count(*) FROM pg_settings WHERE name = '" + name + "'")
                  == 1;
      if (known) {
        database.execute(
            "ALTER DATABASE %s SET %s = '%s'".formatted(database.name(), name, each.getValue()));
      }
    }
  }
}
