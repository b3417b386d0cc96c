package dev.recorder.capture.postgres.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.CaptureNews;
import dev.recorder.capture.postgres.KeptSite;
import dev.recorder.capture.postgres.WithKeptSite;
import dev.recorder.testing.HostilePublic;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A machine that looks by itself at tables whose owners mean no good. */
class HostilePartitionsIT extends WithKeptSite {
  @BeforeEach
  void create() throws Exception {
    kept.mayTrigger();
    site.run("CREATE TABLE measure (id int PRIMARY KEY, name text) PARTITION BY LIST (id)");
    site.capture("measure");
  }

  @ParameterizedTest
  @EnumSource
  void nothingThatOthersHaveMadeIsCalled(HostilePublic.Path path) throws Exception {
    site.run(
        "CREATE TABLE public.m_1 PARTITION OF public.measure FOR VALUES IN (1)",
        "INSERT INTO public.m_1 VALUES (1, 'a')",
        "GRANT TRIGGER ON public.m_1 TO " + TestDatabase.ROLE);
    HostilePublic hostile = HostilePublic.plant(site.database, path);

    assertThat(kept.faults(KeptSite.rule("measure", otherwise())))
        .extracting(CaptureNews::kind)
        .contains(CaptureNews.NewsKind.ARMED, CaptureNews.NewsKind.PERHAPS_LOST);

    assertThat(hostile.sprungByTheRecorder()).isEmpty();
  }

  private static CaptureOptions otherwise() {
    return new CaptureOptions(ColumnChoice.ALL, "id > 0", null, OldImage.KEY);
  }

  /** Whose policy would run with the machine's rights, if the machine read its rows. */
  @Test
  void nothingOfAPartitionsOwnerIsRun() throws Exception {
    site.run(
        "CREATE TABLE trap (who text)",
        "GRANT INSERT ON trap TO PUBLIC",
        """
        CREATE FUNCTION sprung() RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO public.trap VALUES (current_user); RETURN true; END $$\
        """,
        "CREATE TABLE m_1 PARTITION OF measure FOR VALUES IN (1)",
        "INSERT INTO m_1 VALUES (1, 'a')",
        "ALTER TABLE m_1 ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON m_1 USING (public.sprung())",
        "CREATE INDEX ON m_1 ((name || ''))",
        "GRANT ALL ON m_1 TO PUBLIC");

    assertThat(kept.faults())
        .extracting(CaptureNews::kind)
        .containsExactly(CaptureNews.NewsKind.ARMED, CaptureNews.NewsKind.PERHAPS_LOST);
    assertThat(site.database.number("SELECT count(*) FROM public.trap")).isZero();
  }

  /** By no setting, nor by what else a session may hold, is a TRUNCATE kept out of the log. */
  @Test
  void whoMayTruncatePartitionsAloneTruncatesNoneUnseen() throws Exception {
    site.run(
        "CREATE TABLE m_1 PARTITION OF measure FOR VALUES IN (1)",
        "CREATE TABLE m_2 PARTITION OF measure FOR VALUES IN (2)",
        "INSERT INTO measure VALUES (1, 'a'), (2, 'b')");
    kept.faults();
    site.run("TRUNCATE m_2");
    String seq = site.database.one("SELECT max((payload->>'seq')::bigint) FROM handoff.orders");
    String root = site.database.one("SELECT 'public.measure'::regclass::oid");

    site.run(
        "SET recorder.truncated_orders = '" + root + " " + seq + "'",
        "CREATE TEMPORARY TABLE orders AS SELECT pg_current_xact_id() AS xid",
        "TRUNCATE m_1");

    assertThat(site.rows())
        .filteredOn(row -> row.contains("truncate"))
        .hasSize(2)
        .allMatch(row -> row.contains("\"where\""));
  }

  /** The server evaluates what is constant in a key to say which rows a partition has. */
  @Test
  void aFunctionInAPartitionKeyIsNotRunByATruncate() throws Exception {
    site.run(
        "CREATE SEQUENCE traps",
        "GRANT USAGE ON traps TO PUBLIC",
        """
        CREATE FUNCTION sprung(text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
          IF current_user <> session_user THEN PERFORM nextval('public.traps'); END IF;
          RETURN 1;
        END $$\
        """,
        "CREATE TABLE trap (id int, y int) PARTITION BY LIST (y)",
        "CREATE TABLE trap_1 PARTITION OF trap FOR VALUES IN (1)"
            + " PARTITION BY RANGE ((id + public.sprung('a')))",
        "CREATE TABLE trap_1_1 PARTITION OF trap_1 FOR VALUES FROM (1) TO (9)",
        "CREATE TABLE trap_1_2 PARTITION OF trap_1 FOR VALUES FROM (9) TO (99)");
    // Else the capture is refused.
    site.database.execute("ALTER FUNCTION public.sprung(text) OWNER TO postgres");
    site.capture("trap", OldImage.ALL);
    site.database.execute("ALTER FUNCTION public.sprung(text) OWNER TO " + TestDatabase.ROLE);
    site.run("INSERT INTO trap VALUES (1, 1)");

    for (String truncate : List.of("trap", "trap_1", "trap_1_1")) {
      try (Connection fresh = site.connect();
          Statement statement = fresh.createStatement()) {
        statement.execute("TRUNCATE " + truncate);
      }
    }

    assertThat(site.database.one("SELECT is_called FROM public.traps")).isEqualTo("f");
    String leaf = site.database.one("SELECT 'public.trap_1_1'::regclass::oid");
    assertThat(
            site.database.query(
                "SELECT coalesce(payload->>'where', 'all') FROM handoff.orders"
                    + " WHERE payload->>'op' = 'truncate' ORDER BY id",
                row -> row.getString(1)))
        .as("a leaf's rows are unknown, and each TRUNCATE is told once")
        .containsExactly("all", "((y IS NOT NULL) AND (y = 1))", "unknown(" + leaf + ")");
  }

  @Test
  void anyNameIsANameAndNoSql() throws Exception {
    String name = "\"m \"\"1\"\" '{x}' %s $$ \\ ; --\n?\"";
    site.run("CREATE TABLE " + name + " PARTITION OF measure FOR VALUES IN (1)");

    assertThat(kept.faults())
        .extracting(CaptureNews::kind)
        .containsExactly(CaptureNews.NewsKind.ARMED);

    site.run("INSERT INTO " + name + " VALUES (1, 'a')");
    assertThat(site.ops()).containsExactly("insert");
  }
}
