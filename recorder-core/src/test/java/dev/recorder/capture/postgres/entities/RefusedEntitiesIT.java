package dev.recorder.capture.postgres.entities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.postgres.CaptureSite;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What cannot say whose documents a row belongs to is refused, and nothing has changed. */
class RefusedEntitiesIT extends WithCaptureSite {
  private static final String STATE =
      "SELECT (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal) || ' '"
          + " || (SELECT count(*) FROM pg_proc) || ' ' || (SELECT count(*) FROM pg_class)";

  private Captures captures;

  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE line (id int PRIMARY KEY, order_id int, note text)",
        "CREATE TABLE orders (id int PRIMARY KEY, line_id int)",
        "CREATE VIEW shown AS SELECT * FROM line",
        "CREATE FUNCTION mine(int) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1'",
        "CREATE SEQUENCE numbers",
        "CREATE TABLE guarded (id int PRIMARY KEY)",
        "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY");
    captures = site.captures();
  }

  @AfterEach
  void close() throws Exception {
    captures.close();
  }

  private static WantedCapture wanted(String table, String entity) {
    return new WantedCapture(CaptureSite.ACCOUNTS, table, CaptureOptions.ofDocuments(entity, null));
  }

  private void refuses(String table, String entity, String... says) throws Exception {
    String before = site.database.one(STATE);
    assertThatThrownBy(() -> captures.add(wanted(table, entity), false))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll(says);
    assertThatThrownBy(() -> captures.script(wanted(table, entity), true))
        .isInstanceOf(RefusedCaptureException.class);
    assertThat(site.database.one(STATE)).isEqualTo(before);
  }

  @Test
  void whatIsNoTableOfAnApplication() throws Exception {
    refuses("lines", "id", "there is no table public.lines");
    refuses("shown", "id", "public.shown is a view");
  }

  /** To a trigger, they are null. */
  @Test
  void whatIsGeneratedOnReading() throws Exception {
    assumeThat(site.database.number("SELECT current_setting('server_version_num')::int"))
        .isGreaterThanOrEqualTo(180_000);
    site.run("ALTER TABLE line ADD twice int GENERATED ALWAYS AS (order_id * 2) VIRTUAL");
    refuses("line", "twice", "--entity 'twice' names column twice", "virtual");
  }

  @Test
  void whatIsNoExpressionForIds() throws Exception {
    refuses("line", "oder_id", "--entity 'oder_id'", "column \"oder_id\" does not exist");
    refuses("line", "order_id +", "is no expression or query over a row of public.line");
    refuses("line", "order_id; DROP TABLE line", "has a semicolon");
    refuses("line", "order_id) AS x, (SELECT 1", "has a ')' that was not opened");
    refuses("line", " ", "is empty");
    refuses("line", "SELECT id, line_id FROM public.orders", "yields 2 columns: one is wanted");
    refuses("line", "SELECT FROM public.orders", "yields 0 columns");
    refuses("line", "SELECT id FROM orders", "relation \"orders\" does not exist");
    refuses("line", "random()", "is volatile: random() may say something else each time");
    refuses("line", "SELECT public.mine(id) FROM public.orders", "is volatile: mine()");
    refuses("line", "nextval('public.numbers')", "is volatile: nextval()");
    refuses("line", "SELECT id FROM public.guarded", "row level security");
    refuses("line", "DELETE FROM public.orders RETURNING id", "syntax error");
  }

  @Test
  void aTableThatIsCapturedAlready() throws Exception {
    captures.add(wanted("line", "order_id"), false);

    assertThatThrownBy(() -> captures.add(wanted("line", "order_id"), false))
        .hasMessageContaining("table public.line is captured by recorder accounts already");
  }

  /** Who may have triggers made on a table need not own what their expression reads. */
  @Test
  void aTableThatTheTriggersMayNotReadIsNamedWithTheGrant() throws Exception {
    site.run("GRANT TRIGGER ON line TO " + TestDatabase.ROLE);
    String before = site.database.one(STATE);
    try (Captures machine =
        Captures.open(
            new Sessions(TestSettings.patient(site.database), "machine"), TestDatabase.ROLE)) {
      assertThatThrownBy(
              () ->
                  machine.add(
                      wanted("line", "SELECT o.id FROM public.orders o WHERE o.line_id = line.id"),
                      false))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining(
              "GRANT SELECT ON \"public\".\"line\" TO recorder_reader;"
                  + " GRANT SELECT ON \"public\".\"orders\" TO recorder_reader");
    }
    assertThat(site.database.one(STATE)).isEqualTo(before);
  }
}
