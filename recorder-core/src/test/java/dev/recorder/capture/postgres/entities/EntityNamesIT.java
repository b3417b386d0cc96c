package dev.recorder.capture.postgres.entities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.postgres.CaptureSite;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An expression for entities means columns and tables, whatever has their names by now. */
class EntityNamesIT extends WithCaptureSite {
  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE address (id int PRIMARY KEY, street text)",
        "CREATE TABLE orders (id int PRIMARY KEY, address_id int, other_id int)",
        "CREATE TABLE line (id int PRIMARY KEY, order_id int, customer_id int)",
        "INSERT INTO address VALUES (5, 'Elm')",
        "INSERT INTO orders VALUES (1, 5, 6), (2, 6, 5)",
        "INSERT INTO line SELECT i, i, 900 + i FROM generate_series(1, 9) i");
  }

  private void assertFail(String name, String... statements) throws Exception {
    for (String statement : statements) {
      assertThatThrownBy(() -> site.run(statement))
          .as(statement)
          .hasMessageContaining(name + " does not exist, or is another one than --entity of ")
          .hasMessageContaining("--again");
    }
    assertThat(site.asked()).isEmpty();
    assertThat(findings()).singleElement().asString().contains("statements on it fail", name);
  }

  private List<String> findings() {
    try (Captures captures = site.captures()) {
      return captures.check().stream()
          .map(CaptureFinding::text)
          .filter(text -> !text.contains("nothing limits"))
          .toList();
    }
  }

  private void again(String table, String entity) throws Exception {
    try (Captures captures = site.captures()) {
      captures.add(
          new WantedCapture(CaptureSite.ACCOUNTS, table, CaptureOptions.ofDocuments(entity, null)),
          true);
    }
  }

  @Test
  void twoColumnsThatHaveSwappedTheirNamesFailEachStatementUntilItIsSetUpAgain() throws Exception {
    site.captureEntities("line", "order_id");
    assertThat(findings()).isEmpty();
    site.run(
        "ALTER TABLE line RENAME order_id TO x",
        "ALTER TABLE line RENAME customer_id TO order_id",
        "ALTER TABLE line RENAME x TO customer_id");

    assertFail(
        "order_id",
        "INSERT INTO line VALUES (20, 20, 901)",
        "UPDATE line SET id = id + 10",
        "DELETE FROM line WHERE id = 1",
        "TRUNCATE line");

    again("line", "customer_id");
    site.run("INSERT INTO line VALUES (20, 20, 901)");
    assertThat(site.asked()).containsExactly("20");
    assertThat(findings()).isEmpty();
  }

  @Test
  void soDoesAColumnThatIsDroppedAndAddedAgain() throws Exception {
    site.captureEntities("line", "SELECT o.id FROM public.orders o WHERE o.id = order_id");
    site.run("ALTER TABLE line DROP order_id", "ALTER TABLE line ADD order_id int");

    assertFail("order_id", "INSERT INTO line VALUES (20, 20, 901)");
  }

  @Test
  void soDoesATableThatTheQueryReadsIfAnotherHasItsName() throws Exception {
    site.captureEntities(
        "address", "SELECT o.id FROM public.orders o WHERE o.address_id = address.id");
    site.run(
        "ALTER TABLE orders RENAME TO orders_2",
        "CREATE TABLE orders (id int, address_id int)",
        "GRANT SELECT ON orders TO recorder_reader");

    assertFail("public.orders.id, public.orders.address_id", "UPDATE address SET street = 'Oak'");

    site.run("DROP TABLE orders", "ALTER TABLE orders_2 RENAME TO orders");
    site.run("UPDATE address SET street = 'Oak'");
    assertThat(site.asked()).containsExactly("1");
  }

  @Test
  void soDoesAColumnOfAnotherTable() throws Exception {
    site.captureEntities(
        "address", "SELECT o.id FROM public.orders o WHERE o.address_id = address.id");
    site.run(
        "ALTER TABLE orders RENAME address_id TO x",
        "ALTER TABLE orders RENAME other_id TO address_id");

    assertFail("public.orders.address_id", "UPDATE address SET street = 'Oak'");
  }

  @Test
  void soDoesAViewThatIsMadeAnewAndAColumnOfTheCondition() throws Exception {
    site.run(
        "CREATE VIEW ways AS SELECT id, address_id FROM orders",
        "GRANT SELECT ON ways TO recorder_reader");
    try (Captures captures = site.captures()) {
      captures.add(
          new WantedCapture(
              CaptureSite.ACCOUNTS,
              "address",
              CaptureOptions.ofDocuments(
                  "SELECT w.id FROM public.ways w WHERE w.address_id = address.id",
                  "street <> 'secret'")),
          false);
    }
    site.run("CREATE OR REPLACE VIEW ways AS SELECT id, other_id AS address_id FROM orders");
    site.run("UPDATE address SET street = 'Oak'");
    assertThat(site.asked()).containsExactly("2");
    site.run(
        "DROP VIEW ways",
        "CREATE VIEW ways AS SELECT id, address_id FROM orders",
        "GRANT SELECT ON ways TO recorder_reader",
        "ALTER TABLE address DROP street",
        "ALTER TABLE address ADD street text DEFAULT ''");

    assertFail("street, public.ways.id, public.ways.address_id", "INSERT INTO address VALUES (7)");
  }

  @Test
  void whatIsNotNamedMayChangeAndTheCapturedTableMayBeCalledOtherwise() throws Exception {
    site.captureEntities("line", "SELECT o.id FROM public.orders o WHERE o.id = line.order_id");
    site.run(
        "ALTER TABLE line RENAME customer_id TO client",
        "ALTER TABLE line ADD customer_id int",
        "ALTER TABLE line ALTER order_id TYPE bigint",
        "ALTER TABLE orders DROP other_id",
        "ALTER TABLE line RENAME TO order_line",
        "INSERT INTO order_line VALUES (20, 1), (21, 2)");

    assertThat(site.asked()).containsExactly("1", "2");
  }

  /** By its own name it is read besides, and that is another's then. */
  @Test
  void theCapturedTableIsMeantByItsNameWhereTheQueryReadsIt() throws Exception {
    site.captureEntities(
        "line", "SELECT l.order_id FROM public.line AS l WHERE l.customer_id = line.customer_id");
    site.run(
        "ALTER TABLE line RENAME TO order_line",
        "CREATE TABLE line (LIKE order_line)",
        "GRANT SELECT ON line TO recorder_reader");

    assertThatThrownBy(() -> site.run("INSERT INTO order_line VALUES (20, 1, 901)"))
        .hasMessageContaining("public.line does not exist, or is another one than --entity");
  }

  /** Also where the transaction goes on seeing the catalog as it was. */
  @Test
  void atRepeatableReadTheNamesOfThePresentCount() throws Exception {
    site.captureEntities(
        "address", "SELECT o.id FROM public.orders o WHERE o.address_id = address.id");
    site.run("BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT 1");
    try (var other = site.connect();
        var statement = other.createStatement()) {
      statement.execute("ALTER TABLE orders RENAME TO orders_2");
      statement.execute("CREATE TABLE orders (LIKE orders_2)");
      statement.execute("GRANT SELECT ON orders TO recorder_reader");
    }

    assertThatThrownBy(() -> site.run("UPDATE address SET street = 'Oak'"))
        .hasMessageContaining("public.orders.id, public.orders.address_id does not exist");
    site.run("ROLLBACK");
  }
}
