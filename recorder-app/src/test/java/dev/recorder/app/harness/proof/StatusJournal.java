package dev.recorder.app.harness.proof;

import dev.recorder.app.handlers.JobBook;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What the database itself writes down: every change of a request's status, in order. */
public final class StatusJournal {
  private StatusJournal() {}

  /** To be opened after the recorders have made their tables and before the first request. */
  public static void open(TestDatabase database, List<String> recorders) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA proof");
      for (String table : JobBook.TABLES) {
        statement.execute(table);
      }
      statement.execute(
          """
          CREATE TABLE proof.changes (
            n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            recorder text NOT NULL, id bigint NOT NULL, before text, after text, process uuid);
          CREATE INDEX ON proof.changes (recorder, n);
          CREATE FUNCTION proof.note() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO proof.changes (recorder, id, before, after, process) VALUES
              (TG_TABLE_NAME, NEW.id, OLD.request_status, NEW.request_status, NEW.process_id);
            RETURN NULL;
          END $$""");
      for (String recorder : recorders) {
        statement.execute(
            """
            CREATE TRIGGER note AFTER UPDATE ON handoff.%1$s FOR EACH ROW
            WHEN (OLD.request_status IS DISTINCT FROM NEW.request_status)
            EXECUTE FUNCTION proof.note();
            CREATE INDEX ON handoff.%1$s (id) WHERE request_status = 'in-progress'"""
                .formatted(recorder));
      }
    }
  }
}
