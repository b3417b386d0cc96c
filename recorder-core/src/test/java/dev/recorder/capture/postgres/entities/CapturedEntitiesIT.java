package dev.recorder.capture.postgres.entities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.postgres.CaptureSite;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Which documents a change of a table asks for. */
class CapturedEntitiesIT extends WithCaptureSite {
  private static final String ORDERS_AT =
      "SELECT o.id FROM public.orders o WHERE o.address_id = address.id";

  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE address (id int PRIMARY KEY, street text)",
        "CREATE TABLE orders (id int PRIMARY KEY, address_id int)",
        """
        CREATE TABLE line (id int PRIMARY KEY, order_id int REFERENCES orders ON DELETE CASCADE
          ON UPDATE CASCADE, sku text)\
        """,
        "CREATE TABLE discount (line_id int PRIMARY KEY REFERENCES line ON DELETE CASCADE)",
        "INSERT INTO address VALUES (5, 'Elm'), (6, 'Oak')",
        "INSERT INTO orders VALUES (1, 5), (2, 5), (3, 6)",
        "INSERT INTO line SELECT i, i % 3 + 1, 'sku' FROM generate_series(1, 9) i");
  }

  @Test
  void eachEntityIsAskedForOnceHoweverManyRowsAStatementChanges() throws Exception {
    site.captureEntities("line", "order_id");

    site.run("INSERT INTO line SELECT i, i % 2 + 1, 'new' FROM generate_series(11, 20) i");
    assertThat(site.asked()).containsExactly("1", "2");
    site.run("UPDATE line SET sku = 'x'");
    assertThat(site.asked()).containsExactly("1", "2", "3");
    site.run("DELETE FROM line WHERE order_id = 2");
    assertThat(site.asked()).containsExactly("2");
    site.run("UPDATE line SET sku = 'y' WHERE id > 100", "DELETE FROM line WHERE id > 100");
    assertThat(site.asked()).isEmpty();
  }

  @Test
  void aLineThatMovesAsksForBothOrders() throws Exception {
    site.captureEntities("line", "order_id");

    site.run("UPDATE line SET order_id = 3 WHERE id = 1");

    assertThat(site.asked()).containsExactly("2", "3");
  }

  /** A row whose fields are null in part is neither null nor not null to SQL. */
  @Test
  void anEntityMayHaveFieldsThatAreNull() throws Exception {
    site.run(
        "CREATE TYPE pair AS (a int, b int)",
        "CREATE TABLE tagged (id int PRIMARY KEY, p pair)",
        "GRANT SELECT ON tagged TO recorder_reader");
    site.captureEntities("tagged", "p");

    site.run("INSERT INTO tagged VALUES (1, ROW(1, NULL)), (2, ROW(NULL, NULL)), (3, NULL)");

    assertThat(site.asked()).containsExactly("(,)", "(1,)");
  }

  @Test
  void aSharedAddressAsksForAllOrdersThatHaveIt() throws Exception {
    site.captureEntities("address", ORDERS_AT);

    site.run("UPDATE address SET street = 'Ash' WHERE id = 5");
    assertThat(site.asked()).containsExactly("1", "2");
    site.run("INSERT INTO address VALUES (7, 'Fir')");
    assertThat(site.asked()).isEmpty();
  }

  @Test
  void whatAQueryMayLookLike() throws Exception {
    for (String entity :
        List.of(
            "(" + ORDERS_AT + ")",
            "((" + ORDERS_AT + "))",
            "(" + ORDERS_AT + " AND o.id = 1) UNION (" + ORDERS_AT + " AND o.id > 1)",
            "WITH at AS (SELECT * FROM public.orders) SELECT a.id FROM at a WHERE a.address_id ="
                + " address.id",
            "unnest(ARRAY(" + ORDERS_AT + "))",
            "VALUES (1), (id - 3)")) {
      try (Captures captures = site.captures()) {
        captures.add(
            new WantedCapture(
                CaptureSite.ACCOUNTS, "address", CaptureOptions.ofDocuments(entity, null)),
            true);
      }
      site.run("UPDATE address SET street = 'Ash' WHERE id = 5");
      assertThat(site.asked()).as(entity).containsExactly("1", "2");
    }
    try (Captures captures = site.captures()) {
      String oneOf = "(SELECT min(o.id) FROM public.orders o) || '-' || id";
      captures.add(
          new WantedCapture(
              CaptureSite.ACCOUNTS, "address", CaptureOptions.ofDocuments(oneOf, null)),
          true);
    }
    site.run("UPDATE address SET street = 'Ash' WHERE id = 5");
    assertThat(site.asked()).containsExactly("1-5");
  }

  @Test
  void aParentThatIsDeletedInTheSameTransactionIsAskedFor() throws Exception {
    site.run("INSERT INTO discount VALUES (3), (4)");
    site.captureEntities("line", "order_id");
    site.captureEntities(
        "discount", "SELECT l.order_id FROM public.line l WHERE l.id = discount.line_id");

    site.run("BEGIN", "UPDATE discount SET line_id = 7 WHERE line_id = 4", "COMMIT");
    assertThat(site.asked()).containsExactly("2"); // Lines 4 and 7 are both of order 2.
    site.run("DELETE FROM line WHERE id = 3");
    assertThat(site.asked()).containsExactly("1");
    site.run("BEGIN", "DELETE FROM discount", "DELETE FROM orders WHERE id = 2", "COMMIT");
    assertThat(site.asked()).containsExactly("2", "2");
    site.run("UPDATE orders SET id = 30 WHERE id = 3");
    assertThat(site.asked()).containsExactly("3", "30");
  }

  @Test
  void nullAsksForNothingAndSoDoesARowThatIsNotCaptured() throws Exception {
    try (Captures captures = site.captures()) {
      captures.add(
          new WantedCapture(
              CaptureSite.ACCOUNTS,
              "line",
              CaptureOptions.ofDocuments("order_id", "sku <> 'secret'")),
          false);
    }

    site.run("INSERT INTO line VALUES (20, NULL, 'a'), (21, 1, 'secret'), (22, 2, 'b')");
    assertThat(site.asked()).containsExactly("2");
    site.run("UPDATE line SET order_id = NULL, sku = 'secret' WHERE id = 22");
    assertThat(site.asked()).containsExactly("2");
  }

  @Test
  void whatIsRolledBackLeavesNothing() throws Exception {
    site.captureEntities("line", "order_id");

    site.run("BEGIN", "DELETE FROM line", "ROLLBACK");
    site.run(
        "BEGIN",
        "SAVEPOINT s",
        "UPDATE line SET order_id = 1",
        "ROLLBACK TO s",
        "DELETE FROM line WHERE id = 1",
        "COMMIT");

    assertThat(site.asked()).containsExactly("2");
  }

  @Test
  void aTruncateAsksForAllThatWasThere() throws Exception {
    site.captureEntities("line", "order_id");
    site.captureEntities("discount", "SELECT order_id FROM public.line l WHERE l.id = line_id");
    site.run("INSERT INTO discount VALUES (3)");
    assertThat(site.asked()).containsExactly("1");

    site.run("TRUNCATE line CASCADE");

    assertThat(site.asked()).containsExactly("1", "1", "2", "3");
  }

  @Test
  void aPartitionedTableAsksThroughWhicheverTableItIsWrittenTo() throws Exception {
    site.run(
        "CREATE TABLE parted (id int, order_id int) PARTITION BY LIST (order_id)",
        "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1)",
        "CREATE TABLE parted_rest PARTITION OF parted DEFAULT");
    site.captureEntities("parted", "parted.order_id");

    site.run("INSERT INTO parted SELECT i, i % 3 + 1 FROM generate_series(1, 9) i");
    assertThat(site.asked()).containsExactly("1", "2", "3");
    site.run("INSERT INTO parted_1 VALUES (10, 1)");
    assertThat(site.asked()).containsExactly("1");
    site.run("UPDATE parted SET order_id = 1 WHERE order_id = 2");
    assertThat(site.asked()).containsExactly("1", "2");
    site.run("TRUNCATE parted");
    assertThat(site.asked()).containsExactly("1", "3");
  }

  /** In the application's transaction it would queue at its COMMIT with all others. */
  @Test
  void nobodyIsNotifiedInTheApplicationsTransaction() throws Exception {
    site.captureEntities("line", "order_id");
    try (Connection listener = site.connect();
        Statement statement = listener.createStatement()) {
      statement.execute("LISTEN handoff_accounts");
      site.run("UPDATE line SET sku = 'x'", "NOTIFY handoff_accounts, 'the tests own'");

      assertThat(listener.unwrap(PGConnection.class).getNotifications(60_000))
          .extracting(PGNotification::getParameter)
          .containsExactly("the tests own");
    }
    assertThat(site.asked()).hasSize(3);
  }

  @Test
  void aLogMayCaptureTheSameTable() throws Exception {
    site.captureEntities("line", "order_id");
    site.capture("line");

    site.run("DELETE FROM line WHERE id = 1");

    assertThat(site.asked()).containsExactly("2");
    assertThat(site.ops()).containsExactly("delete");
    try (Captures captures = site.captures()) {
      assertThat(captures.list())
          .extracting(capture -> capture.rule().options().entity())
          .containsExactly("order_id", null);
      assertThat(captures.check()).filteredOn(CaptureFinding::losesChanges).isEmpty();
      captures.remove(CaptureSite.ACCOUNTS, "line");
    }
    site.run("DELETE FROM line WHERE id = 2");
    assertThat(site.asked()).isEmpty();
    assertThat(site.ops()).containsExactly("delete", "delete");
  }

  @Test
  void anExpressionThatCannotBeEvaluatedAnyMoreFailsTheStatement() throws Exception {
    site.captureEntities("line", "order_id");
    site.run("ALTER TABLE line RENAME order_id TO ordered");

    assertThatThrownBy(() -> site.run("DELETE FROM line"))
        .hasMessageContaining("order_id does not exist")
        .hasMessageContaining("recorder.capture_accounts_");
  }

  /** Which takes longer than all else that a row costs. */
  @Test
  void theQueryIsPlannedOnceInASession() throws Exception {
    site.run(
        """
        CREATE FUNCTION planned() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN RAISE WARNING 'planned'; RETURN 0; END $$\
        """);
    site.captureEntities("line", "order_id + public.planned()");
    // The server tries five plans before it keeps one.
    for (int i = 20; i < 30; i++) {
      site.run("INSERT INTO line VALUES (%d, 1)".formatted(i));
    }

    try (Statement statement = site.application.createStatement()) {
      statement.execute("INSERT INTO line VALUES (30, 1), (31, 2), (32, 3), (33, NULL)");
      assertThat((Throwable) statement.getWarnings()).isNull();
      statement.execute("UPDATE line SET order_id = 3 WHERE id = 30");
      assertThat((Throwable) statement.getWarnings()).isNull();
      statement.execute("DELETE FROM line WHERE id = 31");
      assertThat((Throwable) statement.getWarnings()).isNull();
    }
    assertThat(site.asked()).endsWith("1", "1", "2", "2", "3", "3").hasSize(16);
  }

  /** Both the few rows whose plan is kept and many. */
  @Test
  void aColumnThatGetsAnotherTypeIsReadAsThat() throws Exception {
    site.run("CREATE TABLE visit (id int, place int)");
    site.captureEntities("visit", "place");
    site.run("INSERT INTO visit VALUES (1, 7)");
    assertThat(site.asked()).containsExactly("7");

    site.run(
        "ALTER TABLE visit ALTER place TYPE bigint", "INSERT INTO visit VALUES (2, 10000000000)");
    assertThat(site.asked()).containsExactly("10000000000");
    site.run("INSERT INTO visit SELECT i, i * 10000000000 FROM generate_series(1, 9) i");
    assertThat(site.asked()).hasSize(9).contains("90000000000");
    site.run("ALTER TABLE visit ALTER place TYPE varchar(3) USING 'ab'");
    site.run("INSERT INTO visit VALUES (3, 'xyz')");
    assertThat(site.asked()).containsExactly("xyz");
  }

  /** A name that is a variable of each function, too. */
  @Test
  void aColumnThatIsGoneIsMissedWhateverItIsCalled() throws Exception {
    site.run("ALTER TABLE orders ADD COLUMN found int DEFAULT 5");
    site.captureEntities("line", "SELECT found FROM public.orders o WHERE o.id = line.order_id");
    site.run("INSERT INTO line VALUES (20, 1)");
    assertThat(site.asked()).containsExactly("5");

    site.run("ALTER TABLE orders DROP COLUMN found");

    assertThatThrownBy(() -> site.run("INSERT INTO line VALUES (21, 1)"))
        .hasMessageContaining("public.orders.found does not exist");
  }

  @Test
  void whatAnApplicationPreparesInTheSameStatementStays() throws Exception {
    site.captureEntities("line", "order_id");

    site.run(
        "PREPARE before AS SELECT 1",
        "DO 'BEGIN PREPARE own AS SELECT 2; INSERT INTO line VALUES (20, 1); END'",
        "EXECUTE before",
        "EXECUTE own");

    assertThat(site.asked()).containsExactly("1");
  }

  /** Its triggers have the same names, and do nothing there. */
  @Test
  void aPartitionThatHasComeFromAnotherCapturedTableIsAskedForByATruncate() throws Exception {
    for (String table : List.of("moved_from", "moved_to")) {
      site.run(
          "CREATE TABLE public.%s (id int, y int) PARTITION BY RANGE (y)".formatted(table),
          "GRANT SELECT ON public.%s TO recorder_reader".formatted(table));
    }
    site.run(
        "CREATE TABLE public.part_1 PARTITION OF moved_from FOR VALUES FROM (1) TO (2)",
        "CREATE TABLE public.part_2 PARTITION OF moved_to FOR VALUES FROM (2) TO (3)",
        "GRANT SELECT ON public.part_1, public.part_2 TO recorder_reader");
    site.captureEntities("moved_from", "id");
    site.captureEntities("moved_to", "id");
    site.run("INSERT INTO moved_from VALUES (1, 1)", "INSERT INTO moved_to VALUES (2, 2)");
    site.asked();
    site.run(
        "ALTER TABLE moved_from DETACH PARTITION part_1",
        "ALTER TABLE moved_to ATTACH PARTITION part_1 FOR VALUES FROM (1) TO (2)",
        "TRUNCATE moved_to");

    assertThat(site.asked()).containsOnly("1", "2");
  }

  @Test
  void soIsAPartitionWhoseTriggersAreDisabled() throws Exception {
    site.run(
        "CREATE TABLE public.whole (id int, y int) PARTITION BY RANGE (y)",
        "CREATE TABLE public.whole_1 PARTITION OF whole FOR VALUES FROM (1) TO (2)",
        "GRANT SELECT ON public.whole, public.whole_1 TO recorder_reader");
    site.captureEntities("whole", "id");
    site.run("INSERT INTO whole VALUES (1, 1)");
    site.asked();

    site.run("ALTER TABLE whole_1 DISABLE TRIGGER USER", "TRUNCATE whole");

    assertThat(site.asked()).containsExactly("1");
  }
}
