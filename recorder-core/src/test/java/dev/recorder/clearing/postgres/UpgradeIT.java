package dev.recorder.clearing.postgres;

import static dev.recorder.clearing.postgres.EarlierSite.FIRST_LEAF;
import static dev.recorder.clearing.postgres.EarlierSite.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.operate.RebaseSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.testing.Patience;
import dev.recorder.testing.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A table of an earlier version gets leaves, and loses nothing by it. */
class UpgradeIT {
  private EarlierSite earlier;
  private RebaseSite site;

  @BeforeEach
  void create() throws Exception {
    earlier = new EarlierSite(PostgresServer.shared());
    site = earlier.site;
  }

  @AfterEach
  void drop() throws Exception {
    earlier.close();
  }

  @Test
  @Tag("smoke")
  void oldRowsAreRecordedProvedAndClearedAsThoseOfALeaf() throws Exception {
    site.insert("a", "b", "c");
    site.record(2, 1);

    earlier.turnUntilItHasLeaves();

    assertThat(site.ask("SELECT key FROM " + FIRST_LEAF + " ORDER BY id"))
        .containsExactly("a", "b", "c");
    site.insert("d");
    site.record(2);
    assertThat(site.verify().findings()).isEmpty();
    earlier.rotate(0);
    site.insert("e");
    assertThat(site.ask("SELECT id FROM handoff.orders WHERE key = 'e'"))
        .containsExactly(Long.toString((1L << 32) + 1));
    assertThat(earlier.turn()).singleElement().matches(Report::isCleared);
    assertThat(site.keys()).containsExactly("e");
    site.record(2);
    assertThat(earlier.lines()).containsExactly("a", "b", "c", "d", "e");
    assertThat(site.verify().findings()).isEmpty();
  }

  /** Recorded rows that somebody had deleted before are not missed; what goes later is. */
  @Test
  void rowsThatWereDeletedBeforeNeedNoNote() throws Exception {
    site.insert("a");
    site.record(1);
    site.insert("b");
    site.record(1);
    site.run("DELETE FROM handoff.orders WHERE key = 'a'");

    earlier.turnUntilItHasLeaves();

    assertThat(site.verify().findings()).isEmpty();
    earlier.rotate(0);
    site.insert("c", "d");
    site.record(2);
    site.run("DELETE FROM handoff.orders WHERE key = 'd'");
    assertThat(site.verify().findings()).singleElement().asString().contains("that no row");
  }

  @Test
  void whoHasATransactionOpenIsNamedAndLetBe() throws Exception {
    site.insert("a");
    try (Connection producer = site.database.connect();
        Statement statement = producer.createStatement()) {
      producer.setAutoCommit(false);
      statement.execute(insertOf("open"));
      statement.execute("SELECT pg_sleep(1.1)");

      assertThat(earlier.turn())
          .singleElement()
          .extracting(Report::why)
          .asString()
          .startsWith("its table was made by an earlier version: others use it; in its way is");
      assertThat(earlier.leafCount()).isZero();
      site.insert("b");
      producer.commit();
    }
    earlier.turnUntilItHasLeaves();
    assertThat(site.keys()).containsExactly("a", "open", "b");
  }

  /** Frozen and evicted, killed, cut off: for the database it is a session that ends. */
  @Test
  void whoeverMakesLeavesMayEndAtAnyStatement() throws Exception {
    List<String> inserted = new ArrayList<>();
    for (int calls = 1; earlier.leafCount() == 0; calls++) {
      inserted.add("k" + calls);
      site.insert("k" + calls);
      site.record(1);
      site.run("ALTER TABLE " + PARTITION + " DROP CONSTRAINT IF EXISTS ids_are_of_leaf_0");
      try (Connection doomed = site.sessions().openData()) {
        earlier.turn(earlier.clearing(), endsAfter(calls, doomed));
      } catch (DatabaseException ended) {
        assertThat(site.keys()).isEqualTo(inserted);
      }
    }
    assertThat(inserted).hasSizeGreaterThan(6);
    site.insert("last");
    site.record(1);
    inserted.add("last");
    assertThat(site.keys()).isEqualTo(inserted);
    assertThat(earlier.lines()).isEqualTo(inserted);
    assertThat(site.verify().findings()).isEmpty();
  }

  @Test
  void ofTwoThatDoItAtOnceOneDoesIt() throws Exception {
    site.insert("a");
    try (Connection one = site.sessions().openData();
        Connection two = site.sessions().openData()) {
      CompletableFuture<Void> first = CompletableFuture.runAsync(() -> untilDone(one));
      CompletableFuture<Void> second = CompletableFuture.runAsync(() -> untilDone(two));
      first.get();
      second.get();
    }
    assertThat(earlier.leafCount()).isEqualTo(8);
    site.record(1);
    assertThat(site.verify().findings()).isEmpty();
  }

  private void untilDone(Connection connection) {
    LogClearing clearing = earlier.clearing();
    Patience.await("leaves")
        .untilAsserted(() -> assertThat(earlier.turn(clearing, connection)).isEmpty());
  }

  @Test
  void idsOfOtherLeavesKeepItAsItIs() throws Exception {
    site.insert("a");
    site.run(insertOf("large", 5L << 32));
    LogClearing clearing = earlier.clearing();
    try (Connection session = site.sessions().openData()) {
      String why = "it has rows with ids from 2^32 on";
      assertThat(earlier.turn(clearing, session)).singleElement().asString().contains(why);

      site.run("DELETE FROM handoff.orders WHERE key = 'large'", insertOf("large", 6L << 32));
      assertThat(earlier.turn(clearing, session)).singleElement().asString().contains(why);
      assertThat(earlier.leafCount()).isZero();

      site.run("DELETE FROM handoff.orders WHERE key = 'large'");
    }
    earlier.turnUntilItHasLeaves(); // With the next term.
    assertThat(site.keys()).containsExactly("a");
  }

  @Test
  void aCounterThatHasPassedTheFirstLeafKeepsItAsItIs() throws Exception {
    site.run("SELECT setval('handoff.orders_id_seq', 4000000001)");

    assertThat(earlier.turn())
        .singleElement()
        .asString()
        .contains("its ids have come to 4000000001, which is not in the first leaf");
    site.insert("a");
    assertThat(earlier.leafCount()).isZero();
  }

  /** Who has prepared its statements before, as a machine of the earlier version has. */
  @Test
  void statementsThatWerePreparedBeforeGoOn() throws Exception {
    try (Connection producer = site.database.connect();
        Statement statement = producer.createStatement()) {
      statement.execute(
          "PREPARE put AS INSERT INTO handoff.orders (key, payload) VALUES ($1, '{}')");
      statement.execute("PREPARE get AS SELECT count(*) FROM handoff.orders WHERE xid >= '3'");
      for (int i = 0; i < 8; i++) {
        statement.execute("EXECUTE put('a')");
        statement.execute("EXECUTE get");
      }

      earlier.turnUntilItHasLeaves();

      statement.execute("EXECUTE put('b')");
      earlier.rotate(0);
      statement.execute("EXECUTE put('c')");
      statement.execute("EXECUTE get");
      statement.getResultSet().next();
      assertThat(statement.getResultSet().getInt(1)).isEqualTo(10);
    }
  }

  /** Else a violation would be one of a check of which nobody has heard. */
  @Test
  void theCheckThatProvesTheIdsIsGoneAfterwards() throws Exception {
    earlier.turnUntilItHasLeaves();

    assertThat(site.ask("SELECT conname FROM pg_constraint WHERE conname LIKE 'ids_are%'"))
        .isEmpty();
    site.run(insertOf("far", 3L << 32));
    assertThat(site.ask("SELECT key FROM recorder.handoff_orders_3")).containsExactly("far");
    String foreign = "INSERT INTO handoff.orders (xid, payload) VALUES ('9', '{}')";
    assertThatThrownBy(() -> site.run(foreign)).hasMessageContaining("xid_is_own");
  }

  private static String insertOf(String key) {
    return "INSERT INTO handoff.orders (key, payload) VALUES ('" + key + "', '{}')";
  }

  private static String insertOf(String key, long id) {
    return """
        INSERT INTO handoff.orders (id, key, payload) OVERRIDING SYSTEM VALUE
        VALUES (%d, '%s', '{}')
        """
        .formatted(id, key);
  }

  /** A session that is ended when it is asked for a statement or a commit for the n-th time. */
  private static Connection endsAfter(int calls, Connection real) {
    AtomicInteger asked = new AtomicInteger();
    Set<String> counted = Set.of("prepareStatement", "createStatement", "commit", "rollback");
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (counted.contains(method.getName()) && asked.incrementAndGet() == calls) {
                real.abort(Runnable::run);
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
