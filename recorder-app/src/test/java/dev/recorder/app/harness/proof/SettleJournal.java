package dev.recorder.app.harness.proof;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.util.List;

/**
 * Notes in the database which session moved the log by which slot: the recorder's row alone would
 * not tell a settle by a machine whose term is over from one by its successor.
 */
public final class SettleJournal {
  private final TestDatabase database;

  /**
   * A move of the log.
   *
   * @param machine whose session it was
   * @param holder of the term that the row named then
   */
  public record Settle(String machine, String holder, long epoch, long slot) {}

  /** Begins to note; the recorder's tables must be there. */
  public static SettleJournal in(TestDatabase database) throws SQLException {
    database.execute(
        """
        CREATE TABLE public.settle_journal (
          n bigint GENERATED ALWAYS AS IDENTITY, application text, holder text, epoch bigint,
          slot bigint, lock_id int, at timestamptz DEFAULT clock_timestamp())""",
        """
        CREATE FUNCTION public.note_settle() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          INSERT INTO public.settle_journal (application, holder, epoch, slot, lock_id)
          VALUES (current_setting('application_name'), NEW.holder, NEW.epoch, NEW.last_slot,
            NEW.lock_id);
          RETURN NEW;
        END $$""",
        """
        CREATE TRIGGER note_settle AFTER UPDATE ON recorder.lock_recorders FOR EACH ROW
        WHEN (NEW.last_slot <> OLD.last_slot) EXECUTE FUNCTION public.note_settle()""");
    return new SettleJournal(database);
  }

  private SettleJournal(TestDatabase database) {
    this.database = database;
  }

  /** Longest time between two moves of one log, in milliseconds; 0 if none moved twice. */
  public long longestGapMillis() throws SQLException {
    return database.number(
        """
        SELECT coalesce(max(extract(epoch FROM gap) * 1000), 0)::bigint FROM (
          SELECT at - lag(at) OVER (PARTITION BY lock_id ORDER BY n) AS gap
          FROM public.settle_journal) AS gaps""");
  }

  /** Every move so far, in order. */
  public List<Settle> settles() throws SQLException {
    return database.query(
        """
        SELECT split_part(application, '/', 2), holder, epoch, slot
        FROM public.settle_journal ORDER BY n""",
        row -> new Settle(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)));
  }
}
