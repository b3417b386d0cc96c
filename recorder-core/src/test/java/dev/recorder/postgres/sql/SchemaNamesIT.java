package dev.recorder.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names that the server takes, and names that it does not, by its own list of words. */
class SchemaNamesIT {
  /** New in version 16. */
  private static final List<String> RESERVED_LATER = List.of("system_user");

  @Test
  void exactlyTheWordsThatNeedQuotesAreRefused() throws Exception {
    List<String> refused = new ArrayList<>();
    List<String> needQuotes = new ArrayList<>();
    try (TestDatabase database = TestDatabase.createOwned();
        Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String word : words(statement)) {
        if (!SchemaNames.fault(word).isEmpty() && !RESERVED_LATER.contains(word)) {
          refused.add(word);
        }
        if (!isTakenAsASchema(statement, word) && !RESERVED_LATER.contains(word)) {
          needQuotes.add(word);
        }
      }
    }
    assertThat(needQuotes).hasSizeGreaterThan(80).contains("user", "order", "left");
    assertThat(refused).containsExactlyElementsOf(needQuotes);
  }

  @Test
  void aNameThatCannotBeIsSaidWithWhatIsWrong() {
    assertThatThrownBy(() -> new SchemaNames("user", "handoff"))
        .hasMessage("schema name 'user' is a reserved word of SQL");
    assertThatThrownBy(() -> new SchemaNames("recorder", "pg_temp"))
        .hasMessage("schema name 'pg_temp' belongs to PostgreSQL itself");
    assertThatThrownBy(() -> new SchemaNames("recorder", "a;b"))
        .hasMessage("schema name 'a;b' is not a schema name");
  }

  private static List<String> words(Statement statement) throws SQLException {
    List<String> words = new ArrayList<>();
    try (ResultSet row = statement.executeQuery("SELECT word FROM pg_get_keywords() ORDER BY 1")) {
      while (row.next()) {
        words.add(row.getString(1));
      }
    }
    return words;
  }

  /** In each place in which the product's statements have a schema. */
  private static boolean isTakenAsASchema(Statement statement, String word) throws SQLException {
    String table = word + ".t";
    try {
      statement.execute("CREATE SCHEMA IF NOT EXISTS " + word);
      statement.execute("CREATE TABLE " + table + " (a int)");
      statement.execute("CREATE INDEX IF NOT EXISTS t_a ON " + table + " (a)");
      statement.execute("ALTER TABLE " + table + " ADD CONSTRAINT c CHECK (a > 0) NOT VALID");
      statement.execute("INSERT INTO " + table + " (a) VALUES (1)");
      statement.execute("UPDATE " + table + " SET a = 2");
      statement.execute("SELECT x.a FROM " + table + " x JOIN " + table + " y USING (a)");
      statement.execute("SELECT '" + table + "'::regclass, to_regclass('" + table + "')");
      statement.execute("DELETE FROM " + table);
      statement.execute("GRANT USAGE ON SCHEMA " + word + ", " + word + " TO CURRENT_USER");
      statement.execute("DROP SCHEMA " + word + " CASCADE");
      return true;
    } catch (SQLException syntax) {
      assertThat(syntax.getSQLState()).as("%s: %s", word, syntax.getMessage()).isEqualTo("42601");
      return false;
    }
  }
}
