package dev.recorder.app.harness.proof;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.util.List;

/**
 * Notes in the database each leaf that is emptied: of which log, on whose session, of how much. The
 * row that takes the place of many old blocks, and has the sum of theirs, is none.
 */
public final class ClearingJournal {
  private final TestDatabase database;

  /**
   * A leaf that was emptied of rows.
   *
   * @param machine whose session it was
   */
  public record Clearing(String recorder, String machine, long rows) {}

  /** Begins to note; the recorder's tables must be there. */
  public static ClearingJournal in(TestDatabase database) throws SQLException {
    database.execute(
        """
        CREATE TABLE public.clearing_journal (
          n bigint GENERATED ALWAYS AS IDENTITY, application text, lock_id int, rows bigint)\
        """,
        """
        CREATE FUNCTION public.note_clearing() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          INSERT INTO public.clearing_journal (application, lock_id, rows)
          VALUES (current_setting('application_name'), NEW.lock_id,
            NEW.cleared_rows - OLD.cleared_rows);
          RETURN NEW;
        END $$\
        """,
        """
        CREATE TRIGGER note_clearing AFTER UPDATE ON recorder.blocks FOR EACH ROW
        WHEN (NEW.cleared_rows <> OLD.cleared_rows
          AND NEW.first_block IS NOT DISTINCT FROM OLD.first_block)
        EXECUTE FUNCTION public.note_clearing()\
        """);
    return new ClearingJournal(database);
  }

  private ClearingJournal(TestDatabase database) {
    this.database = database;
  }

  /** Every one so far, in order. */
  public List<Clearing> clearings() throws SQLException {
    return database.query(
        """
        SELECT recorder, split_part(application, '/', 2), rows
        FROM public.clearing_journal JOIN recorder.lock_recorders USING (lock_id) ORDER BY n\
        """,
        row -> new Clearing(row.getString(1), row.getString(2), row.getLong(3)));
  }
}
