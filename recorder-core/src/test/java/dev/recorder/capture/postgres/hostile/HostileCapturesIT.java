package dev.recorder.capture.postgres.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.CaptureSite;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Replay;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.testing.HostilePublic;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, roles and schemas that mean no good. */
class HostileCapturesIT extends WithCaptureSite {
  @ParameterizedTest
  @EnumSource
  void nothingThatOthersHaveMadeIsCalled(HostilePublic.Path path) throws Exception {
    site.run("CREATE TABLE public.victim (id bigint PRIMARY KEY, name varchar(20), at date)");
    HostilePublic hostile = HostilePublic.plant(site.database, path);
    site.captureEntities(
        "public.victim", "SELECT v.id FROM public.victim v WHERE v.id > victim.id");
    for (OldImage old : OldImage.values()) {
      try (Captures captures = site.captures()) {
        captures.add(
            new Captures.WantedCapture(
                CaptureSite.ORDERS,
                "public.victim",
                new CaptureOptions(ColumnChoice.ALL, "id > 0", "'k' || id", old)),
            true);
        captures.check();
        captures.list();
      }
      site.run(
          "INSERT INTO public.victim VALUES (1, 'a', '2026-01-01'), (2, NULL, NULL)",
          "UPDATE public.victim SET id = id + 5, name = 'b' WHERE id = 1",
          "UPDATE public.victim SET name = 'c'",
          "DELETE FROM public.victim");
      if (old == OldImage.ALL) {
        site.run(
            "ALTER TABLE public.victim ADD COLUMN more text",
            "INSERT INTO public.victim VALUES (1), (2)",
            "UPDATE public.victim SET more = 'x'",
            "DELETE FROM public.victim",
            "TRUNCATE public.victim");
      }
    }
    assertThat(hostile.sprung()).isEmpty();
    assertThat(site.ops()).contains("truncate");
  }

  /** A type of the application's, whose casts are seen to be called, rolled back or not. */
  private void plantMood() throws SQLException {
    site.run(
        "CREATE SEQUENCE traps",
        "GRANT USAGE ON traps TO PUBLIC",
        "CREATE TYPE public.mood AS ENUM ('fine')",
        """
        CREATE FUNCTION sprung(public.mood) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN PERFORM nextval('public.traps'); RETURN 'sprung'; END $$\
        """,
        """
        CREATE FUNCTION sprung_too(public.mood) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN PERFORM nextval('public.traps'); RETURN '1'; END $$\
        """,
        "CREATE CAST (public.mood AS text) WITH FUNCTION sprung(public.mood) AS IMPLICIT",
        "CREATE CAST (public.mood AS json) WITH FUNCTION sprung_too(public.mood)");
  }

  private void assertNothingSprung() throws SQLException {
    assertThat(site.database.one("SELECT is_called FROM public.traps")).isEqualTo("f");
  }

  @Test
  void aCastThatATypesOwnerHasMadeIsNotCalled() throws Exception {
    plantMood();
    site.run("CREATE TABLE victim (id int PRIMARY KEY, mood public.mood NOT NULL)");
    site.capture("victim", new CaptureOptions(ColumnChoice.ALL, null, "mood", OldImage.KEY));
    site.captureEntities("victim", "mood");

    site.run(
        "INSERT INTO victim VALUES (1, 'fine')",
        "ALTER TABLE victim ADD COLUMN more text",
        "INSERT INTO victim VALUES (2, 'fine')",
        "UPDATE victim SET id = id + 10");
    assertThat(site.asked()).containsExactly("fine", "fine", "fine");
    site.run("TRUNCATE victim");

    assertThat(site.asked()).containsExactly("fine");
    assertThat(site.database.query("SELECT DISTINCT key FROM handoff.orders", r -> r.getString(1)))
        .containsExactlyInAnyOrder("public.victim", "fine");
    assertNothingSprung();
  }

  private static final String TO_MOOD =
      "ALTER TABLE victim ALTER name TYPE public.mood USING 'fine'";

  private static final List<String> CHANGES =
      List.of(
          "INSERT INTO victim VALUES (1, 'fine')",
          "UPDATE victim SET id = id + 1",
          "DELETE FROM victim");

  /** The catalog shows it another type than its rows have. */
  @ParameterizedTest
  @EnumSource
  void norIsItInATransactionThatSeesTheFormerTypeOfAColumn(OldImage old) throws Exception {
    plantMood();
    site.run("CREATE TABLE victim (id int PRIMARY KEY, name text)");
    site.capture("victim", new CaptureOptions(ColumnChoice.ALL, "lower(name) <> 'q'", null, old));

    assertThat(failuresOf("REPEATABLE READ", TO_MOOD)).containsExactly("40001", "40001", "40001");

    assertThat(site.rows()).isEmpty();
    assertNothingSprung();
  }

  /** A condition is evaluated only while the types of its columns are the same, not their names. */
  @Test
  void norIsThatOfATypeWhichHasTakenTheNameOfAnother() throws Exception {
    plantMood();
    site.run(
        "CREATE DOMAIN public.word AS text",
        "CREATE TABLE victim (id int PRIMARY KEY, name public.word NOT NULL)");
    site.capture(
        "victim", new CaptureOptions(ColumnChoice.ALL, "lower(name) <> 'q'", "name", OldImage.KEY));

    site.run(
        "ALTER TABLE victim ALTER name TYPE text",
        "DROP DOMAIN public.word",
        "ALTER TYPE public.mood RENAME TO word",
        "ALTER TABLE victim ALTER name TYPE public.word USING 'fine'",
        "INSERT INTO victim VALUES (1, 'fine')",
        "UPDATE victim SET id = 2");

    assertThat(site.ops()).contains("insert", "delete");
    assertNothingSprung();
  }

  /** Then the statements are made from what the catalog shows. */
  @Test
  void norIsItIfColumnsHadChangedBefore() throws Exception {
    plantMood();
    site.run("CREATE TABLE victim (id int PRIMARY KEY, name text)");
    site.capture("victim");
    site.run("ALTER TABLE victim ALTER name TYPE varchar(9)", "INSERT INTO victim VALUES (7)");

    assertThat(failuresOf("SERIALIZABLE", TO_MOOD)).containsExactly("40001", "40001", "40001");

    assertThat(site.rows()).singleElement().asString().contains("7");
    assertNothingSprung();
  }

  /** SQLSTATEs of changes in a transaction that is older than what the owner does. */
  private List<String> failuresOf(String isolation, String owner) throws SQLException {
    List<String> states = new ArrayList<>();
    try (Connection old = site.connect();
        Statement statement = old.createStatement()) {
      statement.execute("BEGIN ISOLATION LEVEL " + isolation);
      statement.execute("SELECT FROM pg_class");
      site.run(owner);
      for (String change : CHANGES) {
        statement.execute("SAVEPOINT before");
        try {
          statement.execute(change);
          states.add("none");
        } catch (SQLException e) {
          states.add(e.getSQLState());
          statement.execute("ROLLBACK TO before");
        }
      }
      statement.execute("COMMIT");
    }
    return states;
  }

  private static final String ATTACK =
      """
      CREATE FUNCTION evil.attack() RETURNS text LANGUAGE plpgsql AS $$
      DECLARE each text; BEGIN
        FOR each IN SELECT format('DROP FUNCTION %s CASCADE', oid::regprocedure) FROM pg_proc
            WHERE pronamespace = 'recorder'::regnamespace
          UNION ALL SELECT format('ALTER FUNCTION %s SECURITY INVOKER', oid::regprocedure)
            FROM pg_proc WHERE pronamespace = 'recorder'::regnamespace
          UNION ALL VALUES ('RESET ROLE'), ('SET ROLE recorder_capture'),
            ('RESET transaction_read_only'), ('SET transaction_read_only = off'),
            ('DELETE FROM recorder.captures'), ('DELETE FROM handoff.accounts'),
            ('INSERT INTO evil.late VALUES (1)'),
            ('SET search_path = evil'), ('DEALLOCATE mine'),
            ('PREPARE mine AS SELECT evil.attack()'), ('PREPARE more AS SELECT evil.attack()'),
            ('DECLARE held CURSOR WITH HOLD FOR SELECT evil.attack()') LOOP
          BEGIN EXECUTE each; EXCEPTION WHEN OTHERS THEN NULL; END;
        END LOOP;
        RETURN current_user;
      END $$\
      """;

  private void plantAttack() throws SQLException {
    site.database.execute(
        "CREATE SCHEMA evil",
        "GRANT USAGE ON SCHEMA evil TO PUBLIC",
        "CREATE TABLE evil.late (id int)",
        "GRANT INSERT ON evil.late TO PUBLIC",
        ATTACK,
        "CREATE VIEW evil.seen AS SELECT i AS id, evil.attack() AS entity"
            + " FROM generate_series(1, 3) i",
        "GRANT SELECT ON evil.seen TO recorder_reader");
  }

  /** However deep it is in one that a superuser has made. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "to_jsonb(a) IS NOT NULL",
        "(a).m IS NOT NULL",
        "to_jsonb(b) IS NOT NULL",
        "to_jsonb(c) IS NOT NULL",
        "to_jsonb(d) IS NOT NULL",
        "to_jsonb(made.made(id)) IS NOT NULL"
      })
  void aTypeThatIsMadeOfAnothersIsInNoConditionOfALog(String expression) throws Exception {
    plantMood();
    site.database.execute(
        "CREATE TYPE public.holder AS (m public.mood)",
        "CREATE DOMAIN public.moods AS public.mood[]",
        "CREATE DOMAIN public.held AS public.holder",
        "CREATE DOMAIN public.held_too AS public.held",
        "CREATE TYPE public.span AS RANGE (SUBTYPE = public.mood)",
        "CREATE SCHEMA made",
        "CREATE FUNCTION made.made(int) RETURNS public.holder LANGUAGE sql IMMUTABLE AS"
            + " 'SELECT ROW(''fine'')::public.holder'");
    site.run(
        "CREATE TABLE victim (id int PRIMARY KEY, a public.holder, b public.moods,"
            + " c public.held_too, d public.span)");
    CaptureOptions options = new CaptureOptions(ColumnChoice.ALL, expression, null, OldImage.KEY);

    assertThatThrownBy(() -> site.capture("victim", options))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContaining(", whose owner capture_shop could");
    assertNothingSprung();
  }

  /** Nor does it leave anything in the application's session. */
  @Test
  void whatAnEntitysQueryReachesRunsAsWhoMayOnlyRead() throws Exception {
    site.run("CREATE TABLE victim (id int PRIMARY KEY, name text)");
    plantAttack();
    site.captureEntities("victim", "SELECT s.entity FROM evil.seen s WHERE s.id = victim.id");
    String triggers = site.database.one("SELECT count(*) FROM pg_trigger");
    String functions = site.database.one("SELECT md5(string_agg(p::text, ' ')) FROM pg_proc p");

    site.run("PREPARE mine AS SELECT 'of the application'");
    site.run(
        "BEGIN",
        "INSERT INTO victim VALUES (1, 'a')",
        "DO 'BEGIN FOR i IN 1..8 LOOP UPDATE victim SET name = i; END LOOP; END'", // One plan.
        "DELETE FROM victim",
        "INSERT INTO victim SELECT i, 'c' FROM generate_series(2, 9) i",
        "TRUNCATE victim",
        "COMMIT");

    assertThat(site.asked()).hasSize(1 + 8 + 1 + 1 + 1).containsOnly("recorder_reader");
    assertThat(site.database.one("SELECT count(*) FROM pg_trigger")).isEqualTo(triggers);
    assertThat(site.database.one("SELECT md5(string_agg(p::text, ' ')) FROM pg_proc p"))
        .isEqualTo(functions);
    assertThat(site.database.one("SELECT count(*) FROM evil.late")).isEqualTo("0");
    assertThat(
            TestDatabase.query(
                site.application,
                "SELECT name FROM pg_prepared_statements UNION ALL SELECT name FROM pg_cursors"
                    + " WHERE is_holdable UNION ALL SELECT current_setting('search_path')"
                    + " UNION ALL SELECT current_setting('transaction_read_only')",
                row -> row.getString(1)))
        .containsExactly("\"$user\", public", "off");
  }

  /** Expressions of a log's captures are evaluated by the function itself, so they may not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "public.mine(id) > 0",
        "mood = 'fine'",
        "mood::text = 'fine'",
        "id OPERATOR(public.===) 1",
        "moods[1] = 'fine'",
        "row_to_json(victim) IS NOT NULL"
      })
  void whatOthersCouldReplaceIsNoConditionOfALog(String expression) throws Exception {
    site.run(
        "CREATE TYPE public.mood AS ENUM ('fine')",
        "CREATE FUNCTION public.mine(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
        "CREATE FUNCTION public.same(int, int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT"
            + " true'",
        "CREATE OPERATOR public.=== (FUNCTION = public.same, LEFTARG = int, RIGHTARG = int)",
        "CREATE TABLE victim (id int PRIMARY KEY, mood public.mood, moods public.mood[])");
    CaptureOptions options = new CaptureOptions(ColumnChoice.ALL, expression, null, OldImage.KEY);

    assertThatThrownBy(() -> site.capture("victim", options))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContaining("--when '" + expression + "'")
        .hasMessageMatching("(?s).*(whose owner capture_shop could|everybody may|as a whole).*");

    site.database.execute(
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC", "GRANT recorder_capture TO capture_shop");
    try {
      if (!expression.contains("row_to_json")) {
        site.capture("victim", options);
      }
    } finally {
      site.database.execute("REVOKE recorder_capture FROM capture_shop");
    }
  }

  /** Which comes after the capture was set up, by whoever owns the table. */
  @Test
  void aColumnThatGetsATypeOfItsOwnersRunsNothingOfHis() throws Exception {
    site.run("CREATE TABLE victim (id int PRIMARY KEY, name text)");
    plantAttack();
    site.captureEntities("victim", "name::text");
    site.database.execute(
        "CREATE TYPE evil.mood AS ENUM ('fine')",
        "CREATE FUNCTION evil.to_text(evil.mood) RETURNS text LANGUAGE sql AS"
            + " 'SELECT evil.attack()'",
        "CREATE FUNCTION evil.to_json(evil.mood) RETURNS json LANGUAGE sql AS"
            + " 'SELECT to_json(evil.attack())'",
        "CREATE CAST (evil.mood AS text) WITH FUNCTION evil.to_text(evil.mood)",
        "CREATE CAST (evil.mood AS json) WITH FUNCTION evil.to_json(evil.mood)",
        "ALTER TABLE public.victim ALTER name TYPE evil.mood USING 'fine'");
    String triggers = site.database.one("SELECT count(*) FROM pg_trigger");

    site.run("INSERT INTO victim VALUES (1, 'fine')");

    assertThat(site.asked()).containsExactly("recorder_reader");
    assertThat(site.database.one("SELECT count(*) FROM pg_trigger")).isEqualTo(triggers);
  }

  @Test
  void anyNameIsANameAndNoSql() throws Exception {
    String table = "O'Hara \"{source}\" %1$s $capture$ \\ ; -- :x ? new_rows";
    String quoted = '"' + table.replace("\"", "\"\"") + '"';
    site.run(
        "CREATE SCHEMA \"My 'Schema'\"",
        """
        CREATE TABLE "My 'Schema'".%s ("{key}" int, "a ""b"" 'c' \\ %%s" text, ordinal int, n text,
          o text, image text, "change" text, seq int, kept text, c1 text, capture text, "user" text,
          op text, "table" text, new_rows text, old_rows text, "größe €" text, "$1" text,
          PRIMARY KEY ("{key}", "a ""b"" 'c' \\ %%s"))\
        """
            .formatted(quoted));
    String name = "\"My 'Schema'\"." + quoted;
    for (OldImage old : OldImage.values()) {
      try (Captures captures = site.captures()) {
        captures.add(
            new Captures.WantedCapture(
                CaptureSite.ORDERS,
                name,
                new CaptureOptions(
                    ColumnChoice.ALL, "coalesce(kept, '%') <> '{condition}%s'", null, old)),
            true);
        assertThat(captures.list()).hasSize(1);
      }
      site.run(
          "INSERT INTO "
              + name
              + " SELECT i, i, i, 'n', 'o', 'i', 'c' FROM generate_series(1, 3) i",
          "UPDATE " + name + " SET \"user\" = image, capture = seq, n = o || '$sql$'",
          "UPDATE "
              + name
              + " SET \"{key}\" = 9 - \"{key}\", kept = '{condition}%s' WHERE ordinal = 2",
          "UPDATE " + name + " SET kept = NULL");
      site.run("DELETE FROM " + name);
    }
    site.run(
        "INSERT INTO " + name + " SELECT i, i, i, 'n', 'o', 'i', 'c' FROM generate_series(1, 3) i",
        "ALTER TABLE " + name + " ADD COLUMN \"%2$s {columns} $sql$ '\" text DEFAULT '%'",
        "UPDATE " + name + " SET \"user\" = image, capture = seq",
        "UPDATE " + name + " SET \"{key}\" = 9 - \"{key}\" WHERE ordinal > 1");
    Replay.provesEqual(site, new TableName("My 'Schema'", table));
    site.captureEntities(name, "SELECT x FROM (VALUES (\"{key}\"), (7), (NULL)) AS v (x)");
    site.run("UPDATE " + name + " SET \"user\" = 'x' WHERE ordinal = 1");
    assertThat(site.asked()).containsExactly("1", "7");
    site.run("TRUNCATE " + name);
    assertThat(site.asked()).containsExactly("1", "6", "7");
    try (Captures captures = site.captures()) {
      assertThat(captures.check()).filteredOn(CaptureFinding::losesChanges).isEmpty();
      site.database.execute(captures.removal(CaptureSite.ORDERS, name));
      site.database.execute(captures.removal(CaptureSite.ACCOUNTS, name));
      assertThat(captures.list()).isEmpty();
    }
  }

  /**
   * In the encoding that an owner of the database has set, the last byte of a partition's name ends
   * the quotes, and what stands in its second line is a command of psql's.
   */
  @Test
  void psqlTakesNoNameInAPrintedScriptForACommand(@TempDir Path folder) throws Exception {
    Path ran = folder.resolve("ran");
    site.run(
        "CREATE TABLE public.p (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE public.\"\\! touch %s\n\u00c1\" PARTITION OF public.p DEFAULT"
            .formatted(ran));
    site.database.execute(
        "ALTER DATABASE " + site.database.name() + " SET client_encoding = 'SJIS'");
    List<String> scripts = new ArrayList<>();
    try (Captures captures = site.captures()) {
      Captures.WantedCapture wanted =
          new Captures.WantedCapture(CaptureSite.ORDERS, "public.p", CaptureOptions.USUAL);
      scripts.add(captures.script(wanted, false));
      captures.add(wanted, false);
      scripts.add(captures.script(wanted, true));
      scripts.add(captures.removal(CaptureSite.ORDERS, "public.p"));
      scripts.add(
          captures.script(
              new Captures.WantedCapture(
                  CaptureSite.ACCOUNTS, "public.p", CaptureOptions.ofDocuments("id", null)),
              false));
    }
    assertThat(scripts).allMatch(script -> script.startsWith("SET client_encoding = 'UTF8';\n"));
    for (String script : scripts) {
      psql(script);
    }
    assertThat(ran).doesNotExist();
  }

  /** Where there is one. */
  private void psql(String script) throws Exception {
    Process psql;
    try {
      psql =
          new ProcessBuilder(
                  "psql",
                  "-X",
                  "-q",
                  site.database.jdbcUrl().replace("jdbc:postgresql://", "postgresql://postgres@"))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return;
    }
    try (OutputStream in = psql.getOutputStream()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    }
    psql.getInputStream().readAllBytes();
    psql.waitFor();
  }

  @Test
  void nobodyMayDoByDefaultWhatOnlyACaptureMay() throws Exception {
    site.run("CREATE TABLE victim (id int PRIMARY KEY)");
    site.database.execute(
        "ALTER DEFAULT PRIVILEGES IN SCHEMA recorder GRANT ALL ON SEQUENCES TO capture_shop",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA recorder GRANT ALL ON TABLES TO capture_shop",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA recorder GRANT EXECUTE ON FUNCTIONS TO capture_shop");
    site.capture("victim");
    site.captureEntities("victim", "id");

    assertThat(
            site.database.query(
                """
                SELECT o.oid::regclass || ' ' || a.privilege_type
                FROM pg_class o CROSS JOIN LATERAL aclexplode(o.relacl) a
                WHERE a.grantee = 'capture_shop'::regrole AND a.privilege_type <> 'SELECT'
                  AND o.relnamespace = 'recorder'::regnamespace
                UNION ALL
                SELECT p.oid::regprocedure::text FROM pg_proc p, aclexplode(p.proacl) a
                WHERE a.grantee = 'capture_shop'::regrole
                """,
                row -> row.getString(1)))
        .isEmpty();
  }

  @Test
  void nobodyElseMayUseTheFunctionAndItsOwnerMayDoNothingElse() throws Exception {
    site.run("CREATE TABLE public.account (id int PRIMARY KEY)");
    site.capture("account");
    String function =
        site.database.one("SELECT oid::regprocedure FROM pg_proc WHERE proname LIKE 'capture_%'");
    site.database.execute("GRANT USAGE ON SCHEMA recorder TO " + CaptureSite.APPLICATION);
    site.run("CREATE TABLE public.other (id int PRIMARY KEY)");
    assertThatThrownBy(
            () ->
                site.run(
                    "CREATE TRIGGER t AFTER INSERT ON public.other REFERENCING NEW TABLE AS"
                        + " new_rows FOR EACH STATEMENT EXECUTE FUNCTION "
                        + function))
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("42501");

    String owner = "recorder_capture";
    assertThat(
            site.database.one(
                "SELECT rolsuper OR rolcanlogin OR rolcreaterole OR rolcreatedb OR rolbypassrls"
                    + " FROM pg_roles WHERE rolname = '"
                    + owner
                    + "'"))
        .isEqualTo("f");
    assertThat(
            site.database.one(
                "SELECT proowner::regrole FROM pg_proc WHERE prosecdef AND proname ~ '^capture'"))
        .isEqualTo(owner);
    for (String forbidden :
        List.of(
            "SELECT FROM public.account",
            "SELECT key FROM handoff.orders",
            "DELETE FROM handoff.orders",
            "UPDATE recorder.captures SET recorder = 'x'",
            "SELECT FROM recorder.lock_recorders",
            "CREATE FUNCTION recorder.f() RETURNS int LANGUAGE sql AS 'SELECT 1'")) {
      assertThatThrownBy(() -> site.database.execute("SET ROLE " + owner + "; " + forbidden))
          .as(forbidden)
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("42501");
    }
  }
}
