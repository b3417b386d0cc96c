package dev.recorder.requests.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.Inspection;
import dev.recorder.requests.EntityQuery;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What code of others that a query reaches can do, which is what a role can that may read the same:
 * a table's owner, who has made a cast, a view or a function, is after the recorder's rights.
 */
class HostileQueriesIT {
  private @Nullable Orders opened;

  @AfterEach
  void close() throws Exception {
    if (opened != null) {
      opened.close();
    }
  }

  private Orders open(String query, String attack) throws Exception {
    Orders orders = new Orders(query);
    opened = orders;
    orders.accounts.database.execute(
        "CREATE SCHEMA evil",
        "GRANT USAGE ON SCHEMA evil TO PUBLIC",
        "CREATE TABLE evil.ran (as_role text, what text)",
        "GRANT SELECT, INSERT ON evil.ran TO PUBLIC",
        """
        CREATE FUNCTION evil.spring(what text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO evil.ran VALUES (current_user, what); RETURN what;
        EXCEPTION WHEN read_only_sql_transaction THEN RETURN what; END $$\
        """,
        // The driver's names of statements, those without parameters, run something else from now.
        """
        CREATE FUNCTION evil.attack() RETURNS text LANGUAGE plpgsql AS $$
        DECLARE victim text; BEGIN
          %s
          RETURN current_user;
        END $$\
        """
            .formatted(attack),
        "CREATE TYPE evil.mood AS ENUM ('fine')",
        """
        CREATE FUNCTION evil.cast_mood(evil.mood) RETURNS json LANGUAGE sql IMMUTABLE AS $$
          SELECT to_json(evil.attack()) $$\
        """,
        "CREATE CAST (evil.mood AS json) WITH FUNCTION evil.cast_mood(evil.mood)",
        "CREATE TABLE evil.mine (id int PRIMARY KEY, mood evil.mood)",
        "INSERT INTO evil.mine SELECT i, 'fine' FROM generate_series(1, 40) i",
        "CREATE VIEW evil.seen AS SELECT id, evil.attack() AS mood FROM evil.mine",
        "GRANT SELECT ON evil.mine, evil.seen TO recorder_reader, recorder");
    return orders;
  }

  private static final String BY_CAST = "SELECT m.id, m.mood FROM evil.mine m WHERE m.id = :entity";

  private static final String TAKE_NAMES =
      """
      FOR victim IN SELECT name FROM pg_prepared_statements
          WHERE name ~ '^S_' AND parameter_types = '{}' LOOP
        EXECUTE format('DEALLOCATE %1$I', victim);
        EXECUTE format('PREPARE %1$I AS SELECT evil.spring(%1$L)', victim);
      END LOOP;
      FOR i IN 1 .. 40 LOOP
        BEGIN
          EXECUTE format('PREPARE %1$I AS SELECT evil.spring(%1$L)', 'S_' || i);
        EXCEPTION WHEN duplicate_prepared_statement THEN NULL; END;
      END LOOP;\
      """;

  /** Each of many documents, so that statements of ours have names by then. */
  @Test
  void aCastOfATypesOwnerRunsNothingWithTheRecordersRights() throws Exception {
    Orders orders = open(BY_CAST, TAKE_NAMES);

    ask(orders, 24);

    assertThat(orders.accounts.database.one("SELECT string_agg(as_role, ' ') FROM evil.ran"))
        .isNull();
    assertThat(orders.errors()).isEmpty();
    assertThat(orders.document("7")).isEqualTo("{\"id\":7,\"mood\":\"recorder_reader\"}");
  }

  @Test
  void nothingThatItSetsOrHoldsOutlivesItsStatement() throws Exception {
    Orders orders =
        open(
            "SELECT s.id, s.mood FROM evil.seen s WHERE s.id = :entity",
            """
            PERFORM set_config('search_path', 'evil', false);
            PERFORM set_config('role', 'none', false);
            RETURN 'no';
            EXCEPTION WHEN OTHERS THEN
            PERFORM set_config('search_path', 'evil', false);
            PERFORM set_config('row_security', 'on', false);
            PERFORM set_config('session_replication_role', 'replica', false)
              WHERE current_setting('is_superuser') = 'on';
            PERFORM pg_advisory_lock(4711);
            EXECUTE 'DECLARE kept CURSOR WITH HOLD FOR SELECT evil.spring(''cursor'')';
            LISTEN recorded_orders;\
            """);

    ask(orders, 6);

    assertThat(orders.document("6")).isEqualTo("{\"id\":6,\"mood\":\"recorder_reader\"}");
    assertThat(orders.accounts.database.one("SELECT count(*) FROM evil.ran")).isEqualTo("0");
    assertThat(
            orders.accounts.database.one(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711"))
        .isEqualTo("0");
  }

  /** On servers that let RESET do what SET may not. */
  @Test
  void itCanNeitherBecomeTheSessionsRoleNorWriteBehindIt() throws Exception {
    Orders orders =
        open(
            BY_CAST,
            """
            FOREACH victim IN ARRAY ARRAY['RESET ROLE', 'SET ROLE recorder',
                'RESET SESSION AUTHORIZATION', 'SET SESSION AUTHORIZATION recorder',
                'RESET transaction_read_only', 'SET transaction_read_only = off', 'RESET ALL',
                'SET LOCAL transaction_read_only = off',
                'ALTER FUNCTION recorder.read_document(text) SECURITY INVOKER',
                'DROP FUNCTION recorder.read_document(text) CASCADE',
                'INSERT INTO evil.late VALUES (1)', 'DELETE FROM handoff.accounts',
                'COMMIT'] LOOP
              BEGIN EXECUTE victim; EXCEPTION WHEN OTHERS THEN NULL; END;
            END LOOP;\
            """);
    orders.accounts.database.execute(
        "CREATE TABLE evil.late (id int)",
        "GRANT INSERT ON evil.late TO recorder_reader",
        """
        CREATE FUNCTION evil.later() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM evil.spring('deferred'); RETURN NULL; END $$\
        """,
        "CREATE CONSTRAINT TRIGGER later AFTER INSERT ON evil.late"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION evil.later()");

    ask(orders, 6);

    assertThat(orders.document("6")).isEqualTo("{\"id\":6,\"mood\":\"recorder_reader\"}");
    assertThat(orders.accounts.database.one("SELECT count(*) FROM evil.ran")).isEqualTo("0");
    assertThat(orders.accounts.database.one("SELECT count(*) FROM evil.late")).isEqualTo("0");
    assertThat(orders.accounts.database.one("SELECT count(*) FROM handoff.accounts"))
        .isEqualTo("6");
    assertThat(
            orders.accounts.database.one(
                "SELECT prosecdef AND proowner = 'recorder_reader'::regrole FROM pg_proc"
                    + " WHERE oid = 'recorder.read_document(text)'::regprocedure"))
        .isEqualTo("t");
  }

  /** A function that calls itself immutable runs while a query is planned. */
  @Test
  void checkingAQueryRunsNothingWithTheRecordersRights() throws Exception {
    Orders orders = open(BY_CAST, "");
    orders.accounts.database.execute(
        """
        CREATE FUNCTION evil.told() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
          RAISE 'it runs as %, reading only: %', current_user,
            current_setting('transaction_read_only'); END $$\
        """,
        "CREATE VIEW evil.planned AS SELECT id FROM evil.mine WHERE id > evil.told()",
        "GRANT SELECT ON evil.planned TO recorder_reader, recorder");
    try (Inspection inspection = Inspection.open(orders.accounts.sessions("command"))) {
      EntityQuery query =
          new EntityQuery(
              "SELECT id FROM evil.planned WHERE id = :entity", Duration.ofSeconds(10), 1_000);

      assertThat(inspection.queryFault(query))
          .contains("it runs as recorder_reader, reading only: on");
      assertThat(inspection.entityRecords(Orders.NAME, query).state("1").fault())
          .contains("it runs as recorder_reader, reading only: on");
    }
  }

  private static void ask(Orders orders, int entities) throws SQLException {
    for (int entity = 1; entity <= entities; entity++) {
      orders.accounts.insert("update", Integer.toString(entity), "{}");
    }
    orders.awaitRest();
  }
}
