package dev.recorder.postgres.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.settings.SessionSettings.SessionLimits;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a role, a database or a server may give a session: it is set by us, or what follows from
 * it is known. A server version that brings a new setting makes this fail until somebody has
 * thought about it.
 */
class SessionDefaultsIT {
  private static final String LIMITS =
      "statement_timeout lock_timeout transaction_timeout idle_session_timeout"
          + " idle_in_transaction_session_timeout";

  /** Looked at when a session is opened: see {@code Sessions}. */
  private static final String REFUSED_OR_WAITED_FOR =
      "session_replication_role default_transaction_read_only client_encoding";

  /** Set where the server's is weaker, or can do it. */
  private static final String RAISED = "synchronous_commit client_connection_check_interval";

  /** By what is not set, and why a session works all the same. */
  private static final Map<String, String> SURVIVED =
      Map.ofEntries(
          Map.entry("the driver says it for each session", "application_name"),
          Map.entry(
              "of one transaction, which begins with the defaults above",
              "transaction_deferrable transaction_isolation transaction_read_only"),
          Map.entry(
              "memory and files: a statement is slower, or fails with a sentence of the server's",
              "work_mem temp_buffers temp_file_limit hash_mem_multiplier max_stack_depth"
                  + " maintenance_work_mem logical_decoding_work_mem effective_cache_size"),
          Map.entry(
              "costs: a plan may be slower, never wrong",
              "cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost random_page_cost seq_page_cost"
                  + " parallel_setup_cost parallel_tuple_cost cursor_tuple_fraction"
                  + " constraint_exclusion from_collapse_limit join_collapse_limit geqo geqo_effort"
                  + " geqo_generations geqo_pool_size geqo_seed geqo_selection_bias geqo_threshold"
                  + " default_statistics_target recursive_worktable_factor"
                  + " effective_io_concurrency maintenance_io_concurrency io_combine_limit"
                  + " min_parallel_index_scan_size min_parallel_table_scan_size"
                  + " max_parallel_workers max_parallel_workers_per_gather"
                  + " max_parallel_maintenance_workers parallel_leader_participation"
                  + " force_parallel_mode debug_parallel_query synchronize_seqscans"),
          Map.entry(
              "plans of a kind that no statement here rests on",
              "enable_async_append enable_distinct_reordering enable_gathermerge"
                  + " enable_group_by_reordering enable_hashagg enable_memoize"
                  + " enable_parallel_append enable_parallel_hash enable_partitionwise_aggregate"
                  + " enable_partitionwise_join enable_presorted_aggregate"
                  + " enable_self_join_elimination enable_tidscan"),
          Map.entry(
              "without jit = on they say nothing",
              "jit_above_cost jit_dump_bitcode jit_expressions jit_inline_above_cost"
                  + " jit_optimize_above_cost jit_tuple_deforming"),
          Map.entry(
              "texts that no statement here makes or reads",
              "lc_messages backslash_quote escape_string_warning timezone_abbreviations"
                  + " icu_validation_level"),
          Map.entry(
              "where and how new tables are stored is the administrator's",
              "default_table_access_method default_tablespace default_toast_compression"
                  + " temp_tablespaces check_function_bodies file_copy_method"
                  + " allow_in_place_tablespaces"),
          Map.entry(
              "what the server writes into its own log, or counts",
              "backtrace_functions compute_query_id debug_logical_replication_streaming"
                  + " debug_discard_caches debug_pretty_print debug_print_parse debug_print_plan"
                  + " debug_print_rewritten log_duration log_error_verbosity log_executor_stats"
                  + " log_lock_failures log_lock_waits log_min_duration_sample"
                  + " log_min_duration_statement log_min_error_statement log_min_messages"
                  + " log_parameter_max_length log_parameter_max_length_on_error log_parser_stats"
                  + " log_planner_stats log_replication_commands log_statement"
                  + " log_statement_sample_rate log_statement_stats log_temp_files"
                  + " log_transaction_sample_rate stats_fetch_consistency trace_notify trace_sort"
                  + " track_activities track_cost_delay_timing track_counts track_functions"
                  + " track_io_timing track_wal_io_timing update_process_title"),
          Map.entry(
              "how the server writes and cleans up: of speed alone, or a superuser's own risk",
              "backend_flush_after commit_delay commit_siblings deadlock_timeout"
                  + " gin_pending_list_limit ignore_checksum_failure zero_damaged_pages"
                  + " wal_compression wal_consistency_checking wal_init_zero wal_recycle"
                  + " wal_sender_timeout wal_skip_threshold vacuum_buffer_usage_limit"
                  + " vacuum_cost_delay vacuum_cost_limit vacuum_cost_page_dirty"
                  + " vacuum_cost_page_hit vacuum_cost_page_miss vacuum_failsafe_age"
                  + " vacuum_freeze_min_age vacuum_freeze_table_age"
                  + " vacuum_max_eager_freeze_failure_rate vacuum_multixact_failsafe_age"
                  + " vacuum_multixact_freeze_min_age vacuum_multixact_freeze_table_age"
                  + " vacuum_truncate"),
          Map.entry(
              "libraries, roles and rights: whoever may give these may do anything anyway",
              "dynamic_library_path extension_control_path local_preload_libraries"
                  + " session_preload_libraries createrole_self_grant lo_compat_privileges"
                  + " password_encryption scram_iterations md5_password_warnings event_triggers"
                  + " allow_system_table_mods"));

  @Test
  void whatARoleMayBeGivenIsSetByUsOrSurvived() throws SQLException {
    Set<String> known = new HashSet<>(setByUs());
    Stream.concat(Stream.of(REFUSED_OR_WAITED_FOR, RAISED), SURVIVED.values().stream())
        .forEach(names -> known.addAll(words(names)));
    try (TestDatabase database = TestDatabase.create()) {
      List<String> given =
          database.query(
              "SELECT name FROM pg_settings WHERE context IN ('user', 'superuser')"
                  + " AND name NOT LIKE '%.%'",
              row -> row.getString(1));
      assertThat(given).isNotEmpty();
      assertThat(given)
          .as("set them in SessionSettings, or say here why a session works whatever they are")
          .allSatisfy(name -> assertThat(known).contains(name));
    }
  }

  @Test
  void nothingIsSetThatIsSaidToBeSurvived() {
    SURVIVED
        .values()
        .forEach(names -> assertThat(words(names)).doesNotContainAnyElementsOf(setByUs()));
  }

  @ParameterizedTest
  @EnumSource
  void everySessionHasLimitsOfItsOwn(SessionKind kind) {
    assertThat(values(kind)).containsKeys(words(LIMITS).toArray(String[]::new));
  }

  private static Set<String> setByUs() {
    Set<String> names = new HashSet<>();
    for (SessionKind kind : SessionKind.values()) {
      names.addAll(values(kind).keySet());
    }
    return names;
  }

  private static Map<String, String> values(SessionKind kind) {
    return SessionSettings.of(
            kind,
            new SessionLimits(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(7)))
        .values();
  }

  private static List<String> words(String names) {
    return Pattern.compile(" ").splitAsStream(names).toList();
  }
}
