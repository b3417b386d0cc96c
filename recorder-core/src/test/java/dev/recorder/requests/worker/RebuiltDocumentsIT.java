package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Documents that a query builds of rows whose changes are captured. */
class RebuiltDocumentsIT {
  private @Nullable Orders opened;

  @AfterEach
  void close() throws Exception {
    if (opened != null) {
      opened.close();
    }
  }

  private Orders open(String query) throws Exception {
    Orders orders = new Orders(query);
    opened = orders;
    return orders;
  }

  @Test
  @Tag("smoke")
  void aChangeOfAnyTableReplacesTheWholeDocument() throws Exception {
    Orders orders = open(Orders.QUERY);
    orders.run(
        "INSERT INTO public.address VALUES (5, 'Elm')",
        "INSERT INTO public.orders VALUES (1, 5, 'urgent')",
        "INSERT INTO public.line VALUES (1, 1, 'a'), (2, 1, 'b')");
    orders.awaitRest();
    assertThat(orders.document("1"))
        .isEqualTo("{\"id\":1,\"note\":\"urgent\",\"street\":\"Elm\",\"lines\":[\"a\", \"b\"]}");

    orders.run(
        "UPDATE public.address SET street = NULL",
        "DELETE FROM public.line WHERE id = 1",
        "UPDATE public.orders SET note = 'none'");
    orders.awaitRest();

    assertThat(orders.document("1"))
        .isEqualTo("{\"id\":1,\"note\":\"none\",\"street\":null,\"lines\":[\"b\"]}");
    assertThat(orders.metadata("1"))
        .containsEntry("recorder", "accounts")
        .containsKeys("applied", "process", "fence", "snapshot")
        .doesNotContainKey("deleted");
    assertThat(
            orders.accounts.text(
                "SELECT bool_and(pg_visible_in_snapshot(xmin::text::xid8, '"
                    + orders.metadata("1").get("snapshot")
                    + "')) FROM public.orders"))
        .isEqualTo("t");
  }

  @Test
  void anEntityThatIsGoneIsMarkedAsDeletedAndMayComeBack() throws Exception {
    Orders orders = open(Orders.QUERY);
    orders.run("INSERT INTO public.orders VALUES (1, NULL, 'x')");
    orders.awaitRest();
    orders.run("DELETE FROM public.orders");
    orders.awaitRest();

    assertThat(orders.document("1")).isEqualTo("{\"deleted\":true}");
    assertThat(orders.metadata("1")).containsEntry("deleted", "true");

    orders.run("INSERT INTO public.orders VALUES (1, NULL, 'back')");
    orders.awaitRest();
    assertThat(orders.document("1")).contains("\"note\":\"back\"");
    assertThat(orders.metadata("1")).doesNotContainKey("deleted");
  }

  /** It has not seen the order there; and who asked for the order has not seen what it changes. */
  @Test
  void aChangeThatWasUnderWayWhenItsEntityCameIsInTheDocumentInTheEnd() throws Exception {
    Orders orders = open(Orders.QUERY);
    orders.run(
        "INSERT INTO public.address VALUES (5, 'Elm')",
        "INSERT INTO public.orders VALUES (1, NULL, 'x')");
    orders.awaitRest();
    try (Connection other = orders.connect()) {
      Orders.run(other, "BEGIN", "UPDATE public.address SET street = 'Ash'");
      orders.run("UPDATE public.orders SET address_id = 5");
      await().until(() -> orders.document("1").contains("\"street\":\"Elm\""));
      Orders.run(other, "COMMIT");
    }
    await().until(() -> orders.document("1").contains("\"street\":\"Ash\""));
    orders.awaitRest();
    assertThat(
            orders.accounts.text(
                "SELECT count(*) > 0 FROM handoff.accounts WHERE payload->>'looked' = '1'"))
        .isEqualTo("t");
  }

  @Test
  void whoWaitsForNothingLooksOnce() throws Exception {
    Orders orders = open(Orders.QUERY);
    orders.run("INSERT INTO public.orders VALUES (1, NULL, 'x')");
    orders.awaitRest();

    assertThat(orders.accounts.text("SELECT count(*) FROM handoff.accounts")).isEqualTo("1");
  }

  @Test
  void anIdleMachineFindsAChangeThoughNobodyTellsIt() throws Exception {
    Orders orders = open(Orders.QUERY);
    orders.run("INSERT INTO public.orders VALUES (1, NULL, 'x')");
    orders.awaitRest();
    Thread.sleep(4_000); // Until the pause between two looks is the longest.
    long since = System.nanoTime();

    orders.run("UPDATE public.orders SET note = 'y'");
    await().pollInterval(Duration.ofMillis(5)).until(() -> orders.document("1").contains("\"y\""));

    long millis = (System.nanoTime() - since) / 1_000_000;
    System.out.println("figure: " + millis + " ms from a change to its document, idle before");
  }

  @Test
  void aQueryCannotChangeAnything() throws Exception {
    Orders orders = open("SELECT public.meddle(:entity) AS done");
    orders.accounts.database.execute(
        "GRANT USAGE ON SCHEMA handoff TO recorder_reader",
        "GRANT SELECT, DELETE ON handoff.accounts TO recorder_reader");
    orders.run(
        """
        CREATE FUNCTION public.meddle(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
          PERFORM set_config('transaction_read_only', 'off', true);
          DELETE FROM handoff.accounts; RETURN 'x'; END $$\
        """,
        "INSERT INTO public.orders VALUES (1, NULL, 'x')");
    await().until(() -> !orders.errors().isEmpty());
    assertThat(orders.errors().get(0))
        .startsWith("new: the query failed: ERROR: ")
        .contains("read-");

    orders.run(
        """
        CREATE OR REPLACE FUNCTION public.meddle(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
          DELETE FROM handoff.accounts; RETURN 'x'; END $$\
        """);
    await().until(() -> orders.errors().get(0).contains("cannot execute DELETE"));
    assertThat(orders.errors().get(0))
        .contains("in a read-only transaction", "it must not change anything");
    assertThat(orders.document("1")).isEmpty();

    orders.run(
        """
        CREATE OR REPLACE FUNCTION public.meddle(text) RETURNS text LANGUAGE sql AS $$
          SELECT 'read' $$\
        """);
    orders.awaitRest();
    assertThat(orders.document("1")).isEqualTo("{\"done\":\"read\"}");
    assertThat(orders.accounts.text("SELECT count(*) FROM public.orders")).isEqualTo("1");
  }

  @Test
  void aFailedUnitLeavesItsChangesAndIsTriedAgain() throws Exception {
    Orders orders = open(Orders.QUERY);
    orders.run(
        "ALTER TABLE public.address RENAME street TO road",
        "INSERT INTO public.orders VALUES (1, NULL, 'x')");
    await().until(() -> !orders.errors().isEmpty());
    assertThat(orders.errors().get(0))
        .isEqualTo("new: the query failed: ERROR: column a.street does not exist (SQLSTATE 42703)");
    assertThat(orders.accounts.text("SELECT payload FROM handoff.accounts")).isEqualTo("null");

    orders.run("ALTER TABLE public.address RENAME road TO street");
    orders.awaitRest();
    assertThat(orders.document("1")).contains("\"note\":\"x\"");
    assertThat(orders.errors()).isEmpty();
  }

  @Test
  void moreThanOneRowIsAnError() throws Exception {
    Orders orders = open("SELECT sku FROM public.line WHERE order_id = :entity");
    orders.run("INSERT INTO public.line VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c')");
    orders.awaitRest();

    assertThat(orders.errors())
        .containsExactly("error: the query yields more than one row: one is wanted, the document");
    assertThat(orders.document("2")).isEqualTo("{\"sku\":\"c\"}");
  }

  @Test
  void anIdThatCannotBeOneIsAnError() throws Exception {
    Orders orders = open(Orders.QUERY);
    orders.accounts.insert("update", "seven", "{}");
    orders.awaitRest();

    assertThat(orders.errors().get(0))
        .startsWith("error: the query failed: ERROR: invalid input syntax for type integer");
  }

  @Test
  void aDocumentMayBeAsLargeAsMaxPayloadAndNoLarger() throws Exception {
    Orders orders = new Orders(Orders.QUERY, A_MINUTE, 300_000);
    opened = orders;
    orders.run(
        "INSERT INTO public.orders VALUES (1, NULL, repeat('x', 299000)),"
            + " (2, NULL, repeat('x', 300000))");
    orders.awaitRest();

    assertThat(orders.document("1")).hasSizeGreaterThan(299_000);
    assertThat(orders.document("2")).isEmpty();
    assertThat(orders.errors()).hasSize(1);
    assertThat(orders.errors().get(0))
        .matches("error: the document would have 300\\d{3} bytes, the limit is 300000 .*");
  }

  @Test
  void aQueryThatTakesTooLongIsEndedByTheServer() throws Exception {
    Orders orders =
        new Orders(
            "SELECT note, pg_sleep(60)::text FROM public.orders WHERE id = :entity",
            Duration.ofSeconds(1),
            1 << 20);
    opened = orders;
    orders.run("INSERT INTO public.orders VALUES (1, NULL, 'x')");
    await().until(() -> !orders.errors().isEmpty());

    assertThat(orders.errors().get(0))
        .startsWith("new: the query failed: ERROR: canceling statement due to statement timeout")
        .endsWith("it may take 900 ms, nine tenths of handler_timeout");
  }

  @Test
  void oneColumnOfJsonIsTheDocumentItselfAsItIsWritten() throws Exception {
    Orders orders =
        open(
            "SELECT ('{ \"a\" : 1e2, \"note\":' || to_json(note) || '}')::json FROM public.orders"
                + " WHERE id::text = :entity");
    orders.run("INSERT INTO public.orders VALUES (1, NULL, 'x')");
    orders.awaitRest();
    assertThat(orders.document("1")).isEqualTo("{ \"a\" : 1e2, \"note\":\"x\"}");

    orders.run("UPDATE public.orders SET note = NULL");
    orders.awaitRest();
    assertThat(orders.document("1")).isEqualTo("{\"deleted\":true}");
  }

  @Test
  void theIdIsBoundAndNotPasted() throws Exception {
    Orders orders = open("SELECT :entity AS id, ':entity' AS text WHERE :entity <> ''");
    String id = "x'; DELETE FROM public.orders; --";
    orders.accounts.insert("update", id, "{}");
    orders.awaitRest();

    assertThat(orders.document("x%27%3B%20DELETE%20FROM%20public.orders%3B%20--"))
        .isEqualTo("{\"id\":\"" + id + "\",\"text\":\":entity\"}");
  }
}
