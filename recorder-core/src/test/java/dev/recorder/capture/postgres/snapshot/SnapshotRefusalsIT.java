package dev.recorder.capture.postgres.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.TestSessions;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What cannot be handed over, and by whom: one sentence, and nothing is in the log. */
class SnapshotRefusalsIT extends WithSnapshotSite {
  private static final String ACCOUNT = "public.account";
  private static final String NOTE = "public.note";

  @BeforeEach
  void create() throws Exception {
    site.account(100);
    site.capture(ACCOUNT, OldImage.KEY, false);
  }

  private static void assertRefused(ThrowingCallable snapshot, String... words) {
    assertThatThrownBy(snapshot)
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll(words);
  }

  private static void assertFails(
      DatabaseErrorKind kind, ThrowingCallable snapshot, String... words) {
    assertThatThrownBy(snapshot)
        .isInstanceOfSatisfying(
            DatabaseException.class, failed -> assertThat(failed.kind()).isEqualTo(kind))
        .hasMessageContainingAll(words);
  }

  @Test
  void ofATableThatIsNotCaptured() {
    assertRefused(() -> site.snapshot("public.nothing"), "orders captures no table public.nothing");
  }

  @Test
  void ofAnotherSessionAtTheSameTime() throws Exception {
    try (Connection other =
        site.begin(
            "SELECT pg_advisory_lock(hashtextextended('snapshot orders public.account', 0))")) {
      assertFails(
          DatabaseErrorKind.BUSY,
          () -> site.snapshot(ACCOUNT),
          "another session hands over the rows of table public.account to recorder orders",
          ": database session ",
          " of role ");
      try (Captures captures = site.captures()) {
        assertThat(captures.removal(RebaseSite.ORDERS, ACCOUNT)).contains("pg_try_advisory");
      }
      assertThat(other.isClosed()).isFalse();
    }
    site.snapshot(ACCOUNT);
    site.provesEqual(ACCOUNT);
  }

  @Test
  void withAnotherKeyThanTheCaptureHas() throws Exception {
    site.source.run(
        "ALTER TABLE public.account DROP CONSTRAINT account_pkey",
        "ALTER TABLE public.account ADD COLUMN number integer GENERATED ALWAYS AS IDENTITY",
        "ALTER TABLE public.account ADD PRIMARY KEY (number)");
    assertRefused(() -> site.snapshot(ACCOUNT), "the key of table public.account", "--again");
    assertThat(site.count("snapshot")).isZero();

    site.capture(ACCOUNT, OldImage.KEY, true);
    site.snapshot(ACCOUNT);

    site.provesEqual(ACCOUNT);
  }

  @Test
  void byARoleThatMayNotLockItsRows() throws Exception {
    site.source.database.execute(
        "ALTER TABLE public.account OWNER TO postgres",
        "REVOKE ALL ON public.account FROM PUBLIC",
        "GRANT SELECT ON public.account TO " + TestDatabase.ROLE,
        "GRANT recorder_capture TO " + TestDatabase.ROLE);
    assertFails(DatabaseErrorKind.RIGHTS, this::asTheRole, "needs SELECT and UPDATE on the table");
    assertThat(site.count("snapshot")).isZero();

    site.source.database.execute("GRANT UPDATE ON public.account TO " + TestDatabase.ROLE);
    asTheRole();
    assertThat(site.count("snapshot")).isEqualTo(100);
  }

  @Test
  void whereAPolicyHidesRowsFromWhoAsks() throws Exception {
    site.source.database.execute(
        "ALTER TABLE public.account OWNER TO postgres",
        "GRANT SELECT, UPDATE ON public.account TO " + TestDatabase.ROLE,
        "GRANT recorder_capture TO " + TestDatabase.ROLE,
        "ALTER TABLE public.account ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY a_few ON public.account USING (id < 50)");

    assertFails(DatabaseErrorKind.RIGHTS, this::asTheRole, "policy");

    assertThat(site.count("snapshot")).isZero();
  }

  private void asTheRole() throws Exception {
    try (Captures captures =
        Captures.open(TestSessions.patient(site.source.database, "host-a"), TestDatabase.ROLE)) {
      captures.snapshot(RebaseSite.ORDERS, ACCOUNT, false, (rows, percent) -> {});
    }
  }

  @Test
  void ofARowThatIsLargerThanThePayloadMayBe() throws Exception {
    site.unseen("INSERT INTO public.account VALUES (1000, repeat('x', 17000000))");

    assertFails(
        DatabaseErrorKind.UNUSABLE,
        () -> site.snapshot(ACCOUNT),
        "larger than max_payload",
        "--except");
  }

  @Test
  void rowsWithoutAKeyAreHandedOverOnceWhileNobodyWrites() throws Exception {
    site.source.run(
        "CREATE TABLE public.note (about integer, text text)",
        "INSERT INTO public.note SELECT i % 10, 'same' FROM generate_series(1, 100) i");
    site.capture(NOTE, OldImage.ALL, false);
    site.snapshot(NOTE);
    site.provesEqual(NOTE);
    site.unseen("DELETE FROM public.note WHERE about = 3", "INSERT INTO public.note VALUES (4)");
    site.source.run("DELETE FROM public.note WHERE about = 5");

    assertThat(site.snapshot(NOTE).rows()).isEqualTo(81);

    site.provesEqual(NOTE);
  }

  @Test
  void tooManyOfThemAreRefusedAndTheirWritersGoOn() throws Exception {
    site.source.run(
        "CREATE TABLE public.note (about integer, text text)",
        "INSERT INTO public.note SELECT i, 'some text' FROM generate_series(1, 1000000) i");
    site.capture(NOTE, OldImage.ALL, false);

    assertRefused(() -> site.snapshot(NOTE), "public.note has no key", "give it a primary key");

    assertThat(site.count("snapshot")).isZero();
    site.source.run("SET lock_timeout = '10s'", "INSERT INTO public.note VALUES (1)");
  }

  /** Who owns a function that a rule names could else act as whoever takes the snapshot. */
  @Test
  void functionsOfOthersRunWithTheRightsOfCaptureAlone() throws Exception {
    site.source.run(
        "CREATE FUNCTION public.who(id integer) RETURNS text LANGUAGE plpgsql IMMUTABLE AS"
            + " 'BEGIN RETURN current_user; END'");
    site.source.database.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    site.capture(
        ACCOUNT,
        new CaptureOptions(ColumnChoice.ALL, "id < 3", "public.who(id)", OldImage.KEY),
        true);

    site.snapshot(ACCOUNT);

    assertThat(
            site.source.ask(
                "SELECT DISTINCT key FROM handoff.orders WHERE payload->>'op' = 'snapshot'"))
        .containsExactly("recorder_capture");
    assertThat(site.count("snapshot")).isEqualTo(2);
  }

  /**
   * Such an error looks as if the captured table had changed, which would be read again for ever.
   */
  @Test
  void aFunctionThatCannotReadWhatItNeedsIsNamedWithItsError() throws Exception {
    functionThatReads("public.look", "SELECT x <> coalesce((SELECT max(v) FROM public.look), '')");
    site.capture(ACCOUNT, when("code.differs(name)"), true);
    site.source.database.execute("DROP TABLE public.look");

    assertFails(
        DatabaseErrorKind.UNUSABLE,
        () -> site.snapshot(ACCOUNT),
        "rows of table public.account cannot be handed over to recorder orders",
        "\"public.look\" does not exist (SQLSTATE 42P01), in function ",
        "differs(text)");
  }

  @Test
  void norIsATableWithoutAKeyReadAgainForEver() throws Exception {
    site.source.run(
        "CREATE TABLE public.note (about integer, text text)",
        "INSERT INTO public.note VALUES (1, 'a')");
    functionThatReads("public.look", "SELECT x <> coalesce((SELECT max(v) FROM public.look), '')");
    site.capture(
        NOTE,
        new CaptureOptions(ColumnChoice.ALL, "code.differs(text)", null, OldImage.ALL),
        false);
    site.source.database.execute("ALTER TABLE public.look RENAME v TO w");

    assertFails(
        DatabaseErrorKind.UNUSABLE, () -> site.snapshot(NOTE), "SQLSTATE 42703", "differs(text)");
  }

  @Test
  void aValueThatAFunctionRefusesIsNothingThatPasses() throws Exception {
    site.capture(ACCOUNT, when("10 / (id - 50) < 100"), true);

    assertFails(DatabaseErrorKind.UNUSABLE, () -> site.snapshot(ACCOUNT), "SQLSTATE 22012");
  }

  private static CaptureOptions when(String when) {
    return new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY);
  }

  private void functionThatReads(String table, String query) throws Exception {
    site.source.database.execute(
        "CREATE SCHEMA code",
        "GRANT USAGE ON SCHEMA code TO PUBLIC",
        "CREATE TABLE " + table + " (v text)",
        "GRANT SELECT ON " + table + " TO PUBLIC",
        "CREATE FUNCTION code.differs(x text) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$"
            + " BEGIN RETURN ("
            + query
            + "); END $$");
  }
}
