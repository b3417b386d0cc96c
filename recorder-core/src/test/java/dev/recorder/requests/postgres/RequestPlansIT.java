package dev.recorder.requests.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The plans of a worker's statements are the same whatever the server knows of the table, for they
 * are made once per session, and a session may be as old as the table.
 */
@Tag("nightly")
class RequestPlansIT {
  private static final RequestStatements SQL =
      new RequestStatements(SchemaNames.DEFAULT, RequestSite.ORDERS);

  private static final String ANALYZE = "ANALYZE handoff.orders";

  private RequestSite site;
  private Connection worker;

  @BeforeEach
  void open() throws Exception {
    site = new RequestSite();
    worker = TestSessions.patient(site.database, "a").openWorker(RequestSite.UNIT_LIMIT);
  }

  @AfterEach
  void close() throws Exception {
    worker.close();
    site.close();
  }

  /** What the table holds, and what the server thinks that it holds. */
  enum State {
    EMPTY,
    EMPTY_AND_ANALYZED(ANALYZE),
    SETTLED(filled("complete", 6_000)),
    SETTLED_AND_ANALYZED(filled("complete", 6_000), ANALYZE),
    NEW(filled("new", 6_000)),
    NEW_AND_ANALYZED(filled("new", 6_000), ANALYZE),
    SETTLED_AND_ANALYZED_BEFORE(
        filled("new", 6_000), ANALYZE, "UPDATE handoff.orders SET request_status = 'complete'"),
    ONE_ENTITY(filled("new", 1)),
    ONE_ENTITY_ANALYZED(filled("new", 1), ANALYZE);

    @SuppressWarnings("ImmutableEnumChecker") // a list that cannot be changed
    private final List<String> statements;

    State(String... statements) {
      this.statements = List.of(statements);
    }

    void of(RequestSite site) throws SQLException {
      site.run(statements.toArray(String[]::new));
    }
  }

  private static String filled(String status, int entities) {
    return """
        INSERT INTO handoff.orders (request_status, request_type, entity_id, payload)
        SELECT '%s', CASE WHEN i <= %d THEN 'create' ELSE 'update' END, 'e' || i %% %d, '{"a": 1}'
        FROM generate_series(1, 60000) i"""
        .formatted(status, entities, entities);
  }

  @ParameterizedTest
  @EnumSource
  void aClaimGoesByItsIndexes(State state) throws Exception {
    state.of(site);
    for (String plan :
        List.of(
            plan(SQL.claim.text(), "'{}', 0, 7, gen_random_uuid(), 'a'"),
            plan(statement(1, SQL.completeAndClaim), "'{}', 0, 7, gen_random_uuid(), 'a'"),
            plan(SQL.claimPoisonToo.text(), "'{}', 'a', 0, 7, 'a', gen_random_uuid(), 'a'"))) {
      assertGoesByKeys(plan);
      // 16 and later sort for DISTINCT in an aggregate: here the few entities that were seen.
      assertThat(plan.replace("Sort Key: seen.entity_id", "")).doesNotContain("Sort Key");
      assertThat(plan.substring(plan.indexOf("CTE looked"), plan.indexOf("CTE seen")))
          .contains("Index Scan using _orders_new on orders r", "_orders_entity");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLookAheadGoesByTheIndexOfNewRowsAndItsClaimById(State state) throws Exception {
    state.of(site);
    assertThat(plan(SQL.lookAhead.text(), "0, 200"))
        .contains("Index Scan using _orders_new")
        .doesNotContain("Sort");
    String claim = "7, 1, gen_random_uuid(), 'a'";
    for (String text :
        List.of(statement(1, SQL.completeAndClaimPrefetched), SQL.claimPrefetched.text())) {
      String plan = plan(text, claim);
      assertGoesByKeys(plan);
      assertThat(plan).contains("Index Cond: (id = ").doesNotContain("Index Cond: (entity_id");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aUnitIsFoundByItsEntityAndLockedById(State state) throws Exception {
    state.of(site);
    for (String plan :
        List.of(
            plan(last(SQL.lockUpdates), "'e1', 'e1', 'e1', 'e1'"),
            plan(last(SQL.lockCreate), "1"),
            plan(last(SQL.lockOne), "1, 'e1'"))) {
      assertGoesByKeys(plan);
      assertThat(plan).contains("orders_pkey");
    }
  }

  @ParameterizedTest
  @EnumSource
  void settlementsGoByIds(State state) throws Exception {
    state.of(site);
    String settlement = "gen_random_uuid(), 1, '{1}'";
    assertGoesByKeys(plan(statement(0, SQL.completeAll), settlement));
    assertGoesByKeys(plan(statement(0, SQL.settleFound), settlement + ", 'e1'"));
    assertGoesByKeys(plan(statement(1, SQL.settle), "'{why}', '{1}', " + settlement));
    assertGoesByKeys(plan(SQL.disown.text(), "0, 1, 'a', gen_random_uuid()"));
    assertGoesByKeys(plan(statement(2, SQL.postpone), "1, 3, gen_random_uuid(), 'why', 1, '{1}'"));
    assertGoesByKeys(plan(SQL.statuses.text(), "'{1}', 'e1'"));
  }

  @Test
  void plansAreGeneric() throws Exception {
    assertThat(plan(SQL.statuses.text(), "'{1}', 'e1'")).contains("$1");
  }

  /** Each look into the table is one for certain keys, and none into all that an index has. */
  private static void assertGoesByKeys(String plan) {
    assertThat(plan).doesNotContain("Seq Scan", "Hash", "Merge Join");
    List<String> lines = plan.lines().toList();
    int looks = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains("Scan") && lines.get(i).contains("orders")) {
        looks++;
        assertThat(lines.get(i + 1)).as(plan).contains("Index Cond");
      }
    }
    assertThat(looks).isPositive();
  }

  /** The plan as a session of a worker makes it, once for all parameters. */
  private String plan(String sql, String parameters) throws SQLException {
    AtomicInteger number = new AtomicInteger();
    String numbered =
        Pattern.compile("\\?").matcher(sql).replaceAll(mark -> "\\$" + number.incrementAndGet());
    RequestSite.run(worker, "DEALLOCATE ALL", "PREPARE it AS " + numbered);
    List<String> lines = new ArrayList<>();
    try (Statement statement = worker.createStatement();
        ResultSet line = statement.executeQuery("EXPLAIN EXECUTE it(" + parameters + ")")) {
      while (line.next()) {
        lines.add(line.getString(1));
      }
    }
    return String.join("\n", lines);
  }

  private static String statement(int number, Sql statements) {
    return List.of(statements.text().split(";", -1)).get(number);
  }

  private static String last(Sql statements) {
    return statements.text().substring(statements.text().lastIndexOf(';') + 1);
  }
}
