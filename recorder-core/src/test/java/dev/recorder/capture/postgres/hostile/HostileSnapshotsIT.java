package dev.recorder.capture.postgres.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.postgres.snapshot.SnapshotState;
import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A table's owner puts something else in the place of its name while its rows are handed over, by a
 * role that may more than he does. What he has made must not be run by it.
 */
class HostileSnapshotsIT extends WithSnapshotSite {
  private static final String ACCOUNT = "public.account";
  private static final int ROWS = 5_000;

  /** Rows, and with each of them a function of the owner's. */
  private static final String[] VIEW = {
    "ALTER TABLE public.account RENAME TO genuine",
    "CREATE VIEW public.account AS SELECT id, public.sprung(name) AS name, note, ctid"
        + " FROM public.genuine"
  };

  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @BeforeEach
  void create() throws Exception {
    site.account(ROWS);
    site.source.run(
        "CREATE SEQUENCE public.traps",
        """
        CREATE FUNCTION public.sprung(text) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN PERFORM nextval('public.traps'); RETURN $1; END $$""");
  }

  @AfterEach
  void close() throws Exception {
    thread.shutdownNow();
  }

  /** Whatever ran it, and whether or not that was rolled back. */
  private boolean isSprung() throws Exception {
    return site.source.ask("SELECT is_called::text FROM public.traps").contains("true");
  }

  @Test
  void aViewThatTakesTheNameOfATableBetweenTwoChunksIsNotRead() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    AtomicBoolean once = new AtomicBoolean();

    SnapshotState last =
        site.snapshot(
            ACCOUNT,
            (rows, percent) -> {
              if (once.compareAndSet(false, true)) {
                try {
                  site.source.run(VIEW);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }
            });

    assertThat(isSprung()).isFalse();
    assertThat(last.rows()).as("those of the table that is captured").isEqualTo(ROWS);
  }

  @Test
  void norIsOneThatTakesTheNameOfATableWithoutAKey() throws Exception {
    site.source.run("ALTER TABLE public.account DROP CONSTRAINT account_pkey");
    site.capture(ACCOUNT, OldImage.ALL, false);

    SnapshotState last = whileInTheWayOf("INSERT INTO public.account VALUES (0)", VIEW);

    assertThat(isSprung()).isFalse();
    assertThat(last.rows()).isEqualTo(ROWS + 1);
  }

  /** The rows go by way of a table that was made like what has the name. */
  @Test
  void norDoesWhatTakesTheNameBeforeTheFirstChunkSayOfWhichTypesItsColumnsAre() throws Exception {
    site.source.run(
        "CREATE TYPE public.evil AS (t text)",
        """
        CREATE FUNCTION public.evil(text) RETURNS public.evil LANGUAGE plpgsql AS $$
        BEGIN PERFORM public.sprung($1); RETURN ROW($1)::public.evil; END $$""",
        "CREATE CAST (text AS public.evil) WITH FUNCTION public.evil(text) AS ASSIGNMENT");
    site.capture(ACCOUNT, OldImage.KEY, false);

    SnapshotState last =
        whileInTheWayOf(
            "ALTER TABLE public.account RENAME TO genuine",
            "CREATE TABLE public.account (id integer, name public.evil, note text)");

    assertThat(isSprung()).isFalse();
    assertThat(last.rows()).isEqualTo(ROWS);
  }

  /** The server evaluates what is constant in these whenever it plans to read the table. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE INDEX ON public.account ((note || public.trap('a')))",
        "CREATE INDEX ON public.account (note) WHERE note <> public.trap('a')",
        "CREATE INDEX ON public.account ((note OPERATOR(public.|||) ('a' OPERATOR(public.|||) 'b')))",
        "CREATE STATISTICS s ON (note || public.trap('a')), id FROM public.account"
      })
  void aFunctionOfTheOwnersInWhatIsPlannedWithIsNotRun(String owners) throws Exception {
    plantTrap();
    site.source.run(owners);
    site.capture(ACCOUNT, OldImage.KEY, false);

    assertThatThrownBy(() -> site.snapshot(ACCOUNT))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll("its owner " + TestDatabase.ROLE, "ALTER FUNCTION public.");

    assertThat(isSprung()).isFalse();
    assertThat(site.count("snapshot")).isZero();
    site.source.database.execute(
        "ALTER FUNCTION public.trap(text) OWNER TO postgres",
        "ALTER FUNCTION public.joined(text, text) OWNER TO postgres");
    assertThat(site.snapshot(ACCOUNT).rows()).as("trusted").isEqualTo(ROWS);
  }

  @Test
  void norIsOneInTheKeyOfATableThatIsReadAsAWhole() throws Exception {
    plantTrap();
    site.source.run(
        "CREATE TABLE public.part (note text) PARTITION BY RANGE ((note || public.trap('a')))",
        "CREATE TABLE public.part_1 PARTITION OF public.part DEFAULT");
    assertThatThrownBy(() -> site.capture("public.part", OldImage.ALL, false))
        .hasMessageContainingAll("cannot be captured as a whole", "function public.trap(text)");
    assertThatThrownBy(() -> site.snapshot("public.part"))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContaining("function public.trap(text)");

    assertThat(isSprung()).isFalse();
  }

  /** Nor are constraints looked at, whatever the database has set. */
  @Test
  void norIsOneInACheck() throws Exception {
    plantTrap();
    site.source.run("ALTER TABLE public.account ADD CHECK (note <> public.trap('a') OR id > 0)");
    site.source.database.execute(
        "ALTER DATABASE " + site.source.database.name() + " SET constraint_exclusion = on");
    site.capture(ACCOUNT, OldImage.KEY, false);

    assertThat(site.snapshot(ACCOUNT).rows()).isEqualTo(ROWS);

    assertThat(isSprung()).isFalse();
  }

  @Test
  void anIndexThatComesBetweenTwoChunksRunsNothing() throws Exception {
    plantTrap();
    site.capture(ACCOUNT, OldImage.KEY, false);
    AtomicBoolean once = new AtomicBoolean();

    assertThatThrownBy(
            () ->
                site.snapshot(
                    ACCOUNT,
                    (rows, percent) -> {
                      if (once.compareAndSet(false, true)) {
                        try {
                          site.source.run(
                              "CREATE INDEX ON public.account ((note || public.trap('a')))");
                        } catch (Exception e) {
                          throw new IllegalStateException(e);
                        }
                      }
                    }))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContaining("function public.trap(text)");

    assertThat(isSprung()).isFalse();
  }

  /** Which counts who else runs it than its owner. */
  private void plantTrap() throws Exception {
    site.source.run(
        """
        CREATE FUNCTION public.trap(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
          IF current_user <> 'OWNER' THEN PERFORM nextval('public.traps'); END IF;
          RETURN $1;
        END $$"""
            .replace("OWNER", TestDatabase.ROLE),
        "CREATE FUNCTION public.joined(text, text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$"
            + " BEGIN RETURN $1 || public.trap($2); END $$",
        "CREATE OPERATOR public.||| (FUNCTION = public.joined, LEFTARG = text, RIGHTARG = text)");
  }

  /** Has a snapshot wait for a transaction, which then does more, and commits. */
  private SnapshotState whileInTheWayOf(String first, String... then) throws Exception {
    try (Connection open = site.begin(first);
        Statement statement = open.createStatement()) {
      Future<SnapshotState> snapshot = thread.submit(() -> site.snapshot(ACCOUNT));
      Patience.await().until(() -> snapshot.isDone() || isInTheWay());
      for (String each : then) {
        statement.execute(each);
      }
      open.commit();
      return snapshot.get();
    }
  }

  private boolean isInTheWay() throws Exception {
    return site.source.database.number(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                + " AND application_name LIKE 'recorder/admin/%'"
                + " AND datname = current_database()")
        > 0;
  }
}
