package dev.recorder.schema;

import dev.recorder.postgres.SchemaNames;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Who holds each recorder, kept beside {@code lock_recorders} by a trigger of that table, for the
 * watch alone.
 *
 * <p>A settled slot writes a new version of the recorder's row. While a dump or a standby holds old
 * versions back, whoever reads that row passes all of them; and every machine reads every recorder
 * twenty times a second. These rows change only when a recorder changes hands. What counts is
 * {@code lock_recorders}: all that is written is held to it.
 */
public final class Incumbents {
  public static final String TABLE = "incumbents";

  private static final String TRIGGER = "incumbent_changed";

  /** The columns that are kept, beside the lockid. */
  private static final String[] COLUMNS = {
    "holder", "epoch", "holder_pid", "holder_backend_start", "switch_to", "switch_why", "faults"
  };

  private Incumbents() {}

  /** The SQL that makes the table and its trigger, for rows that are there already, too. */
  static List<String> create(SchemaNames names) {
    return List.of(table(names), function(names), trigger(names), renew(names));
  }

  /**
   * Brings the table up to date where rows of {@code lock_recorders} came past the trigger: loaded
   * with triggers off, or truncated. The lock waits for whoever is changing such a row, and then
   * reads what they made of it.
   */
  static String renew(SchemaNames names) {
    return "INSERT INTO %1$s (lock_id, %3$s) SELECT lock_id, %3$s FROM %2$s r WHERE NOT EXISTS"
        .concat(" (SELECT FROM %1$s i WHERE i.lock_id = r.lock_id")
        .concat(" AND ROW (%4$s) IS NOT DISTINCT FROM ROW (%5$s)) FOR SHARE OF r")
        .concat(" ON CONFLICT (lock_id) DO UPDATE SET (%3$s) = ROW (%6$s)")
        .formatted(
            names.table(TABLE),
            names.table("lock_recorders"),
            columns(""),
            columns("i."),
            columns("r."),
            columns("excluded."));
  }

  private static String table(SchemaNames names) {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          lock_id int PRIMARY KEY,
          holder text,
          epoch bigint NOT NULL,
          holder_pid int,
          holder_backend_start timestamptz,
          switch_to text,
          switch_why text,
          faults int NOT NULL
        )"""
        .formatted(names.table(TABLE));
  }

  private static String function(SchemaNames names) {
    return """
        CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
          IF TG_OP = 'DELETE' THEN
            DELETE FROM %2$s WHERE lock_id = OLD.lock_id;
          ELSE
            INSERT INTO %2$s (lock_id, %3$s) VALUES (NEW.lock_id, %4$s)
            ON CONFLICT (lock_id) DO UPDATE SET (%3$s) = ROW (%5$s);
          END IF;
          RETURN NULL;
        END $$"""
        .formatted(
            names.table(TRIGGER),
            names.table(TABLE),
            columns(""),
            columns("NEW."),
            columns("excluded."));
  }

  /** A settled slot names none of these columns, and so does not come here. */
  private static String trigger(SchemaNames names) {
    return "CREATE OR REPLACE TRIGGER "
        + TRIGGER
        + " AFTER INSERT OR DELETE OR UPDATE OF "
        + columns("")
        + " ON "
        + names.table("lock_recorders")
        + " FOR EACH ROW EXECUTE FUNCTION "
        + names.table(TRIGGER)
        + "()";
  }

  private static String columns(String prefix) {
    return Arrays.stream(COLUMNS).map(prefix::concat).collect(Collectors.joining(", "));
  }
}
