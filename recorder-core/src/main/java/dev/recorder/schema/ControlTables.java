package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The tables of the control schema that every recorder needs. */
record ControlTables(SchemaNames names) {
  private static final List<String> RELATIONS =
      List.of(
          "schema_info",
          "info_recorders",
          "info_recorders_latest",
          "lock_recorders",
          Incumbents.TABLE,
          "slots",
          "exclusions",
          "blocks",
          "folds",
          "takeovers");

  /** Qualified names of all that is created here. */
  List<String> relations() {
    return RELATIONS.stream().map(names::table).toList();
  }

  private static final String SCHEMA_INFO =
      "CREATE TABLE IF NOT EXISTS {schema_info} (version int PRIMARY KEY)";

  private static final String VERSION_ROW =
      """
      INSERT INTO {schema_info} (version) SELECT {version} \
      WHERE NOT EXISTS (SELECT FROM {schema_info})
      """;

  private static final String INFO_RECORDERS =
      """
      CREATE TABLE IF NOT EXISTS {info_recorders} (
        name text PRIMARY KEY,
        beat bigint NOT NULL DEFAULT 1,
        update_time timestamptz NOT NULL,
        num_primary int NOT NULL,
        num_secondary int NOT NULL,
        active int[] NOT NULL DEFAULT '{}',
        able int[] NOT NULL DEFAULT '{}',
        primary_for int[] NOT NULL DEFAULT '{}',
        stuck int[] NOT NULL DEFAULT '{}',
        pid int NOT NULL,
        backend_start timestamptz NOT NULL,
        version text NOT NULL,
        config_hash text NOT NULL,
        config_sections json NOT NULL DEFAULT '{}'
      )
      """;

  /**
   * The version of a machine's row with the highest beat is the one that counts. Whoever looks for
   * it here meets it first, however many old ones a dump or a standby holds back.
   */
  private static final String LATEST_BEATS =
      "CREATE INDEX info_recorders_latest ON {info_recorders} (name, beat)";

  private static final String LOCK_RECORDERS =
      """
      CREATE TABLE IF NOT EXISTS {lock_recorders} (
        lock_id int PRIMARY KEY CHECK (lock_id BETWEEN 1 AND 998),
        recorder text NOT NULL UNIQUE,
        kind text NOT NULL DEFAULT 'log',
        log_uuid uuid NOT NULL DEFAULT gen_random_uuid(),
        log_created boolean NOT NULL DEFAULT false,
        holder text,
        holder_pid int,
        holder_backend_start timestamptz,
        last_holder text,
        epoch bigint NOT NULL DEFAULT 0,
        primary_up boolean NOT NULL DEFAULT false,
        begun_at timestamptz,
        released_at timestamptz,
        faults int NOT NULL DEFAULT 0,
        switch_to text,
        switch_why text CHECK (switch_why IN ('flip', 'operator', 'failback', 'stuck')),
        first_slot bigint NOT NULL DEFAULT 1,
        last_slot bigint NOT NULL DEFAULT 0,
        settled_at timestamptz,
        done_snapshot pg_snapshot NOT NULL DEFAULT '3:3:',
        open_snapshot pg_snapshot,
        open_xid xid8,
        open_id bigint,
        rebased_slot bigint NOT NULL DEFAULT 0,
        rebased_epoch bigint NOT NULL DEFAULT 0,
        layout json NOT NULL,
        database text,
        former_databases text[] NOT NULL DEFAULT '{}',
        paused_until timestamptz,
        pause_reason text,
        update_time timestamptz NOT NULL DEFAULT clock_timestamp(),
        CHECK ((switch_to IS NULL) = (switch_why IS NULL)),
        CHECK ((open_snapshot IS NULL) = (open_xid IS NULL)),
        CHECK ((open_snapshot IS NULL) = (open_id IS NULL))
      ) WITH (fillfactor = 50)
      """;

  private static final String SLOTS =
      """
      CREATE TABLE IF NOT EXISTS {slots} (
        lock_id int NOT NULL,
        slot bigint NOT NULL,
        sha256 text NOT NULL,
        epoch bigint NOT NULL,
        writer text NOT NULL,
        window_from pg_snapshot,
        window_to pg_snapshot,
        window_complete boolean,
        row_count int NOT NULL,
        first_xid xid8 NOT NULL,
        first_id bigint NOT NULL,
        last_xid xid8 NOT NULL,
        last_id bigint NOT NULL,
        bytes bigint NOT NULL,
        planned_at timestamptz NOT NULL,
        PRIMARY KEY (lock_id, slot, sha256)
      )
      """;

  private static final String EXCLUSIONS =
      """
      CREATE TABLE IF NOT EXISTS {exclusions} (
        lock_id int NOT NULL,
        slot bigint NOT NULL,
        xid xid8 NOT NULL,
        id bigint NOT NULL,
        PRIMARY KEY (lock_id, xid, id)
      )
      """;

  /** What the leaves of hand-off tables hold, and what was taken out of them. */
  private static final String BLOCKS =
      """
      CREATE TABLE IF NOT EXISTS {blocks} (
        lock_id int NOT NULL,
        block bigint NOT NULL,
        begun_at timestamptz NOT NULL,
        from_slot bigint NOT NULL,
        cleared_at timestamptz,
        cleared_by text,
        cleared_rows bigint NOT NULL DEFAULT 0,
        last_slot bigint,
        first_block bigint,
        PRIMARY KEY (lock_id, block)
      )
      """;

  /** Tables of an earlier version have no such column. */
  private static final String FIRST_BLOCK =
      """

      IF NOT EXISTS (SELECT FROM pg_catalog.pg_attribute
          WHERE attrelid = {name}::pg_catalog.regclass AND attname = 'first_block') THEN
        ALTER TABLE {blocks} ADD COLUMN first_block bigint;
      END IF;
      """;

  /** What is left of rows of slots whose rows were taken out of hand-off tables. */
  private static final String FOLDS =
      """
      CREATE TABLE IF NOT EXISTS {folds} (
        lock_id int NOT NULL,
        last_slot bigint NOT NULL,
        row_count bigint NOT NULL,
        bytes bigint NOT NULL,
        chain text NOT NULL,
        done_snapshot pg_snapshot,
        open_snapshot pg_snapshot,
        open_xid xid8,
        open_id bigint,
        folded_at timestamptz NOT NULL,
        folded_by text NOT NULL,
        PRIMARY KEY (lock_id, last_slot)
      )
      """;

  /** The name of the table of what machines state about themselves. */
  static final String CONDITIONS = "conditions";

  private static final String CREATE_CONDITIONS =
      """
      CREATE TABLE IF NOT EXISTS {conditions} (
        name text PRIMARY KEY,
        pid int NOT NULL,
        backend_start timestamptz NOT NULL,
        stated_at timestamptz NOT NULL,
        conditions json NOT NULL
      )
      """;

  /** What nobody needs in order to record, so that no machine waits for it. */
  List<String> createConditions() {
    return List.of(Sql.in(names, CREATE_CONDITIONS).text());
  }

  private static final String TAKEOVERS =
      """
      CREATE TABLE IF NOT EXISTS {takeovers} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        lock_id int NOT NULL,
        recorder text NOT NULL,
        reason text NOT NULL,
        from_machine text,
        to_machine text NOT NULL,
        from_epoch bigint NOT NULL,
        to_epoch bigint NOT NULL,
        silence_ms bigint NOT NULL,
        gap_ms bigint,
        last_slot bigint NOT NULL,
        first_slot bigint NOT NULL,
        detail text
      )
      """;

  /** DDL. */
  List<String> create() {
    Map<String, String> pieces = Map.of("version", Integer.toString(Schema.VERSION));
    Stream<String> tables =
        Stream.of(
            SCHEMA_INFO,
            VERSION_ROW,
            INFO_RECORDERS,
            MissingIndex.sql(names.table("info_recorders_latest"), LATEST_BEATS),
            LOCK_RECORDERS,
            SLOTS,
            EXCLUSIONS,
            BLOCKS,
            Schema.block(
                SqlTemplate.fill(
                    FIRST_BLOCK,
                    Map.of(
                        "blocks", names.table("blocks"),
                        "name", Quoted.literal(names.table("blocks"))))),
            FOLDS,
            TAKEOVERS);
    return Stream.concat(
            tables.map(ddl -> Sql.in(names, ddl, pieces).text()), Incumbents.create(names).stream())
        .toList();
  }
}
