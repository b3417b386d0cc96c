package dev.recorder.capture.postgres.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.SnapshotSite;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.capture.script.SnapshotStatements;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All rows that a table has come into its log, once, and it is the same in a replay. */
class SnapshotIT extends WithSnapshotSite {
  private static final String ACCOUNT = "public.account";
  private static final int ROWS = 5_000;

  /** With the first chunk. */
  private static final int AT_ONCE = -1;

  @BeforeEach
  void create() throws Exception {
    site.account(ROWS);
  }

  /** Stops a snapshot where it is, as the end of its process would. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void rowsThatWereThereBeforeTheCaptureAreReplayed() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);

    SnapshotState last = site.snapshot(ACCOUNT);

    assertThat(last.rows()).isEqualTo(ROWS);
    assertThat(last.percent()).isEqualTo(100);
    assertThat(last.endedAt()).isNotNull();
    assertThat(site.count("snapshot")).isEqualTo(ROWS);
    site.provesEqual(ACCOUNT);
  }

  @Test
  void aChunkReadsItsOwnBlocksAlone() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    CaptureRule rule;
    try (Captures captures = site.captures()) {
      rule = captures.list().get(0).rule();
    }
    CaptureNames names = new CaptureNames(SchemaNames.DEFAULT);
    try (Connection session = site.source.sessions().openForQueries()) {
      SnapshotStatements statements =
          new SnapshotStatements(names, rule, PinnedColumns.all(0), List.of("id", "name"));
      try (Statement statement = session.createStatement()) {
        statement.execute("CREATE TEMPORARY TABLE recorder_chunk (id integer, name text)");
      }
      String chunk = statements.chunk(ACCOUNT, "'(8,0)'::tid", "'(16,0)'::tid").split(";")[0];

      assertThat(TestDatabase.query(session, "EXPLAIN " + chunk, row -> row.getString(1)))
          .anyMatch(line -> line.contains("Tid Range Scan on account"));
    }
  }

  @Test
  void oneThatIsBrokenOffGoesOnWhereItWas() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    breakOff();
    try (Captures captures = site.captures()) {
      SnapshotState half = captures.snapshots().get(0);
      assertThat(half.endedAt()).isNull();
      assertThat(half.percent()).isBetween(1, 99);
      assertThat(half.rows()).isEqualTo(site.count("snapshot")).isPositive();
    }

    assertThat(site.snapshot(ACCOUNT).rows()).isEqualTo(ROWS);

    assertThat(site.count("snapshot")).as("none twice").isEqualTo(ROWS);
    site.provesEqual(ACCOUNT);
  }

  /** Rows that were handed over may have been changed since by commits that a promotion lost. */
  @Test
  void oneThatAnotherServerBeganBeginsAnew() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    breakOff();
    long before = site.count("snapshot");
    site.source.database.execute(
        "UPDATE recorder.snapshots SET server = regexp_replace(server, '/.*', '/0')");

    site.snapshot(ACCOUNT);

    assertThat(site.count("snapshot")).isEqualTo(before + ROWS);
    assertThat(
            site.source.ask(
                "SELECT server = system_identifier || '/1'"
                    + " FROM recorder.snapshots, pg_control_system()"))
        .containsExactly("t");
    site.provesEqual(ACCOUNT);
  }

  private void breakOff() {
    assertThatThrownBy(
            () ->
                site.snapshot(
                    ACCOUNT,
                    (rows, percent) -> {
                      if (percent > 30) {
                        throw new Stopped();
                      }
                    }))
        .isInstanceOf(Stopped.class);
  }

  @Test
  void twoSessionsHandChunksOverSideBySide() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    Set<String> threads = new HashSet<>();

    SnapshotState last =
        site.snapshot(
            ACCOUNT,
            (rows, percent) -> {
              if (threads.add(Thread.currentThread().getName()) && threads.size() == 1) {
                awaitAChunkInTheOtherSession();
              }
            });

    assertThat(threads).hasSize(2);
    assertThat(last.rows()).isEqualTo(ROWS);
    assertThat(site.count("snapshot")).as("none twice").isEqualTo(ROWS);
    site.provesEqual(ACCOUNT);
  }

  @Test
  void theFirstSessionGoesOnIfTheOtherIsEnded() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    Thread first = Thread.currentThread();

    SnapshotState last =
        site.snapshot(
            ACCOUNT,
            once(
                AT_ONCE,
                () -> {
                  assumeThat(Thread.currentThread()).as("has the first chunk").isEqualTo(first);
                  awaitAChunkInTheOtherSession();
                  site.source.database.execute(
                      "SELECT pg_terminate_backend(pid, 60000) FROM" + IN_THE_OTHER_SESSION);
                }));

    assertThat(last.rows()).isEqualTo(ROWS);
    assertThat(site.count("snapshot")).as("none twice").isEqualTo(ROWS);
    site.provesEqual(ACCOUNT);
  }

  /** One that has read a chunk, and waits for its turn, or has let go of it. */
  private static final String IN_THE_OTHER_SESSION =
      " pg_stat_activity WHERE query ~ '^(INSERT|ROLLBACK)'"
          + " AND application_name LIKE 'recorder/admin/%' AND datname = current_database()";

  private void awaitAChunkInTheOtherSession() {
    Patience.await()
        .until(
            () -> site.source.database.number("SELECT count(*) FROM" + IN_THE_OTHER_SESSION) > 0);
  }

  @Test
  void oneSessionHandsAllOverWhereTheServerAllowsNoOther() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    String role = "narrow_" + site.source.database.name();
    site.source.database.execute(
        "CREATE ROLE %s LOGIN CONNECTION LIMIT 1 PASSWORD '%s'"
            .formatted(role, TestDatabase.PASSWORD),
        "GRANT recorder_capture, " + TestDatabase.ROLE + " TO " + role,
        "GRANT SELECT, UPDATE ON public.account TO " + role);
    try (Captures captures =
        Captures.open(
            new Sessions(TestSettings.as(role, site.source.database), "narrow"),
            TestDatabase.ROLE)) {
      Set<String> threads = new HashSet<>();

      SnapshotState last =
          captures.snapshot(
              RebaseSite.ORDERS,
              ACCOUNT,
              false,
              (rows, percent) -> threads.add(Thread.currentThread().getName()));

      assertThat(threads).containsExactly(Thread.currentThread().getName());
      assertThat(last.rows()).isEqualTo(ROWS);
    } finally {
      site.source.database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
    site.provesEqual(ACCOUNT);
  }

  @Test
  void aNewOneRemovesAndRestoresWhatNoTriggerSaw() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    site.snapshot(ACCOUNT);
    site.provesEqual(ACCOUNT);

    site.unseen(
        "DELETE FROM public.account WHERE id % 3 = 0",
        "UPDATE public.account SET name = 'changed' WHERE id % 3 = 1",
        "INSERT INTO public.account VALUES (100000, 'new')");
    site.snapshot(ACCOUNT);

    site.provesEqual(ACCOUNT);
  }

  @Test
  void soItDoesIfAllOfItLiesInOneWindow() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    site.source.run("INSERT INTO public.account VALUES (100000, 'seen'), (100001, 'seen')");
    site.unseen("DELETE FROM public.account WHERE id = 100000");

    site.snapshot(ACCOUNT);

    site.provesEqual(ACCOUNT);
  }

  @Test
  void rowsThatComeMeanwhileStayAlthoughNoChunkHasThem() throws Exception {
    replayASnapshot();

    try (var before = site.begin("INSERT INTO public.account VALUES (100000, 'before')")) {
      site.snapshot(
          ACCOUNT,
          once(
              AT_ONCE,
              () -> site.source.run("INSERT INTO public.account VALUES (100001, 'meanwhile')")));
      before.commit();
    }

    site.provesEqual(ACCOUNT);
  }

  /** The slot of the transaction that was open at the beginning is replayed before the end. */
  @Test
  void soTheyDoIfTheyAreReplayedBeforeTheirSnapshotEnds() throws Exception {
    replayASnapshot();

    try (var before = site.begin("INSERT INTO public.account VALUES (100000, 'before')")) {
      site.snapshot(
          ACCOUNT,
          once(
              50,
              () -> {
                before.commit();
                site.source.record(7);
                site.replay();
              }));
    }

    site.provesEqual(ACCOUNT);
  }

  /** What has not been read comes to the front, which has been. */
  @Test
  void rowsThatAreMovedWithoutATriggerAreMetAllTheSame() throws Exception {
    site.source.run("DELETE FROM public.account WHERE id % 2 = 0");
    site.capture(ACCOUNT, OldImage.KEY, false);

    site.snapshot(ACCOUNT, once(AT_ONCE, () -> site.source.run("VACUUM FULL public.account")));

    site.provesEqual(ACCOUNT);
  }

  @Test
  void columnsThatChangeMeanwhileAreThoseOfTheRowsThatAreLeft() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);

    SnapshotState last =
        site.snapshot(
            ACCOUNT,
            once(
                AT_ONCE,
                () ->
                    site.source.run(
                        "ALTER TABLE public.account ADD COLUMN more numeric DEFAULT 1.50",
                        "ALTER TABLE public.account DROP COLUMN note",
                        "ALTER TABLE public.account RENAME COLUMN name TO title")));

    assertThat(last.rows()).as("none twice").isEqualTo(ROWS);
    site.provesEqual(ACCOUNT);
  }

  @Test
  void rowsThatAreTooManyGoAlthoughTheKeyIsRenamedAndRetypedMeanwhile() throws Exception {
    replayASnapshot();
    site.unseen("DELETE FROM public.account WHERE id % 3 = 0");

    site.snapshot(
        ACCOUNT,
        once(
            AT_ONCE,
            () ->
                site.source.run(
                    "ALTER TABLE public.account RENAME id TO number",
                    "ALTER TABLE public.account ALTER number TYPE bigint",
                    "INSERT INTO public.account VALUES (100001, 'meanwhile')")));

    site.provesEqual(ACCOUNT);
  }

  @Test
  void aCaptureThatIsSetUpAnewMeanwhileHasItBeginAnew() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);

    SnapshotState last =
        site.snapshot(ACCOUNT, once(30, () -> site.capture(ACCOUNT, OldImage.ALL, true)));

    assertThat(last.rows()).isEqualTo(ROWS);
    assertThat(site.count("snapshot")).isGreaterThan(ROWS);
    site.provesEqual(ACCOUNT);
  }

  /** So that what comes is not new to the target. */
  private void replayASnapshot() throws Exception {
    site.capture(ACCOUNT, OldImage.KEY, false);
    site.snapshot(ACCOUNT);
    site.source.record(SnapshotSite.ALL);
    site.replay();
  }

  /** Done between two chunks. */
  private interface Step {
    void run() throws Exception;
  }

  /** Takes a step once, as soon as more than so many per cent are done. */
  private static SnapshotState.SnapshotProgress once(int percentBefore, Step step) {
    AtomicBoolean taken = new AtomicBoolean();
    return (rows, percent) -> {
      if (percent > percentBefore && taken.compareAndSet(false, true)) {
        try {
          step.run();
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }
}
