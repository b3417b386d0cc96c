package dev.recorder.app.cli.requests;

import static dev.recorder.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.postgres.sql.SchemaNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands about requests, beside a machine that ran or runs. */
class RequestsCommandIT {
  private static final String ACCOUNTS =
      """
      [recorder:accounts]
      lockid = 3
      kind = requests
      max_payload = 4KiB
      """;

  @TempDir private static Path folder;
  private static TestSite site;

  @BeforeAll
  static void aMachineHasRun() throws Exception {
    site = TestSite.create(folder);
    site.configure(site.text() + ACCOUNTS);
    start();
    site.stop();
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  @AfterEach
  void forget() throws Exception {
    site.stop();
    site.configure(site.text() + ACCOUNTS);
    site.execute("TRUNCATE handoff.accounts RESTART IDENTITY");
    site.store.keys(TestSite.BUCKET, "prod/accounts/").stream()
        .filter(key -> !key.contains("_about"))
        .forEach(key -> site.store.delete(TestSite.BUCKET, key));
  }

  // ---- add

  @Test
  void whatIsAddedIsWorkedOffAndVerified() throws Exception {
    start();

    Run create = requests("add", "a/1", "--payload", "{\"owner\":\"Ada\",\"n\":1}");
    Run update = requests("add", "a/1", "--type", "update", "--payload", "{\"n\":2}");
    awaitSettled(2);

    assertThat(create).isEqualTo(new Run(0, "1\n", ""));
    assertThat(update).isEqualTo(new Run(0, "2\n", ""));
    assertThat(new String(site.store.read(TestSite.BUCKET, "prod/accounts/a%2F1.json"), UTF_8))
        .startsWith("{\"owner\":\"Ada\",\"n\":2}");
    assertThat(site.run("verify", "accounts", "-o", "json").json().toString())
        .isEqualTo(
            "{\"recorder\":\"accounts\",\"slots\":1,\"rows\":2,\"lost\":0,\"duplicated\":0,"
                + "\"gaps\":0,\"out_of_order\":0,\"hash_mismatches\":0,\"ok\":true,\"schema_version\":1}");

    site.store.delete(TestSite.BUCKET, "prod/accounts/a%2F1.json");
    site.run("verify", "accounts")
        .exits(1)
        .prints("FAULTS", "accounts: entity 'a/1' has 2 complete requests and no object");
  }

  @Test
  void aPayloadMayComeFromAFileOrNotAtAll() throws Exception {
    Path file = site.write("payload.json", "{\n \"a\": \"Zoë\"\n}\n");

    assertThat(requests("add", "x", "--file", file.toString()).out()).isEqualTo("1\n");
    assertThat(requests("add", "x", "--type", "UPDATE").out()).isEqualTo("2\n");
    assertThat(row(1)).isEqualTo("create x {\n \"a\": \"Zoë\"\n}\n new");
    assertThat(row(2)).isEqualTo("update x - new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "", " ", "{} {}", "{\"a\":", "{'a':1}", "NaN"})
  void aPayloadThatIsNoJsonIsAMistakeOfUse(String payload) throws Exception {
    requests("add", "x", "--payload=" + payload)
        .exits(2)
        .printsNothing()
        .saysFirst("recorder: the payload is not JSON")
        .inOneLine();
    assertThat(count()).isEqualTo("0");
  }

  @Test
  void aNumberMayBeAsLongAsAPayload() throws Exception {
    String number = "9".repeat(2_000);

    assertThat(requests("add", "x", "--payload", number).err()).isEmpty();
    assertThat(row(1)).isEqualTo("create x " + number + " new");
  }

  @Test
  void aFileThatCannotBeReadIsAMistakeOfUse() throws Exception {
    Path latin1 = site.write("latin1.json", "");
    Files.write(latin1, new byte[] {'"', (byte) 0xeb, '"'});
    Path empty = site.write("empty.json", "");
    Path withMark = site.write("mark.json", "\ufeff{}");

    requests("add", "x", "--file", folder.resolve("missing").toString())
        .exits(2)
        .saysFirst("recorder: cannot read ")
        .says("missing");
    assertThat(requests("add", "x", "--file", latin1.toString()).err())
        .contains("is not text in UTF-8");
    requests("add", "x", "--file", empty.toString()).exits(2);
    requests("add", "x", "--file", withMark.toString()).exits(2);
    requests("add", "x", "--file", empty.toString(), "--payload", "{}")
        .exits(2)
        .saysOnly("recorder: give --payload or --file, not both\n");
    assertThat(count()).isEqualTo("0");
  }

  @Test
  void aSecondCreateOfAnEntityIsToldAsSuch() throws Exception {
    requests("add", "x");

    requests("add", "x")
        .exits(1)
        .printsNothing()
        .saysOnly("recorder: a create of entity 'x' was handed over before\n");
    requests("add", "x", "--type", "update").exits(0);
  }

  @Test
  void aPayloadOverTheLimitIsAMistakeOfUse() throws Exception {
    requests("add", "x", "--payload", '"' + "x".repeat(4_096) + '"')
        .exits(2)
        .says("payload_within_max_payload")
        .inOneLine();
  }

  @ParameterizedTest
  @ValueSource(strings = {"add accounts", "add accounts x --type delete", "add", "show accounts"})
  void argumentsThatAreMissingOrUnknownAreAMistakeOfUse(String arguments) {
    Run run = site.run(("requests " + arguments).split(" ")).exits(2).printsNothing();

    assertThat(run.err()).isNotEmpty();
  }

  // ---- list

  @Test
  void listShowsTheLatestFirst() throws Exception {
    five();

    Run run = requests("list").exits(0).saysNothing();

    assertThat(run.out().lines())
        .as("a header and five requests, whatever stands in an error's text")
        .hasSize(6)
        .first()
        .asString()
        .matches("ID +TYPE +STATUS +ENTITY +ATTEMPTS +CREATED +SETTLED +ERROR");
    assertThat(run.out().lines().map(String::strip))
        .anyMatch(line -> line.matches("5 +update +new +x +0 +\\S+ \\S+ +- +-"))
        .anyMatch(line -> line.matches("3 +update +error +y +2 +\\S+ \\S+ +\\S+ \\S+ +no such.*"));
    assertThat(requests("list", "--limit", "2").out().lines().map(String::strip))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("5 "))
        .anyMatch(line -> line.startsWith("4 "));
  }

  @ParameterizedTest
  @CsvSource({
    "'', '5 4 3 2 1'",
    "--entity x, '5 2 1'",
    "--entity X, ''",
    "--status new, '5 4'",
    "--status error, 3",
    "--status COMPLETE, '2 1'",
    "--entity x --status new, 5",
    "--entity y --status complete, ''",
    "--limit 1, 5",
    "--status new --limit 1, 5"
  })
  void listFiltersByEntityAndStatus(String options, String ids) throws Exception {
    five();

    Run run = site.run(("requests list accounts -o json " + options).strip().split(" ")).exits(0);

    assertThat(String.join(" ", run.json().findValuesAsText("id"))).isEqualTo(ids);
  }

  @Test
  void anyTextCanBeAskedFor() throws Exception {
    String longest = "e".repeat(1_024);
    for (String entity : List.of("a b", "'", "", "%", longest)) {
      site.run("requests", "add", "accounts", entity);
      assertThat(requests("list", "--entity", entity, "-o", "json").json()).hasSize(1);
    }
  }

  @Test
  void anIdThatNoObjectCouldHaveIsTurnedAwayUnderTheNameOfTheCheck() throws Exception {
    requests("add", "e".repeat(1_025)).exits(2).says("entity_id_within_1024_bytes");
  }

  @Test
  void listForProgramsHasTheNamesOfTheColumns() throws Exception {
    five();

    JsonNode rows = requests("list", "-o", "json").json();
    assertThat(rows).hasSize(5);
    assertThat(Run.names(rows.get(0)))
        .isEqualTo(
            "id request_status request_type process_id entity_id attempts deaths begun_by"
                + " error_text not_before created_at settled_at schema_version");
    JsonNode failed = rows.get(2);
    assertThat(failed.get("request_status").textValue()).isEqualTo("error");
    assertThat(failed.get("error_text").textValue()).isEqualTo("no such account\n  at 7");
    assertThat(failed.get("settled_at").textValue()).endsWith("Z");
    assertThat(rows.get(0).get("settled_at").isNull()).isTrue();
    assertThat(requests("list", "-o", "json", "--entity", "nobody").out()).isEqualTo("[]\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--limit 0", "--limit 1000001", "--limit x", "--status done"})
  void aFilterThatIsNoneIsAMistakeOfUse(String options) {
    site.run(("requests list accounts " + options).split(" "))
        .exits(2)
        .printsNothing()
        .says(options.split(" ")[0]);
  }

  /** Nobody ever sees that status: the answer would always be empty. */
  @Test
  void requestsThatAreBeingWorkedOnCannotBeAskedFor() throws Exception {
    requests("list", "--status", "in-progress")
        .exits(2)
        .printsNothing()
        .says(
            "--status must be new, complete or error, not 'in-progress'", "being worked on is new");
  }

  // ---- show

  @Test
  void showTellsWhoIsNoRecorderAndHoldsTheEntity() throws Exception {
    five();
    site.execute("UPDATE handoff.accounts SET request_status = 'new' WHERE id = 3");
    String entity = site.ask("SELECT entity_id FROM handoff.accounts WHERE id = 3");
    int lockId =
        Integer.parseInt(
            site.ask("SELECT lock_id FROM recorder.lock_recorders WHERE recorder = 'accounts'"));
    try (Connection stranger = site.database.connectAsSuperuser();
        Statement statement = stranger.createStatement()) {
      statement.execute(
          "SELECT pg_advisory_lock(hashtextextended('"
              + entity
              + "', "
              + SchemaNames.DEFAULT.entityLockSeed(lockId)
              + "))");

      requests("show", "3")
          .exits(0)
          .printsLike(
              "(?m)^entity_held_by +database session \\d+ of role postgres, .*pg_terminate");
      // The server ends a session, and its locks, some time after its client has gone.
      statement.execute("SELECT pg_advisory_unlock_all()");
    }
    requests("show", "3").exits(0).doesNotPrint("entity_held_by");
  }

  @Test
  void showTellsAllThatIsKnown() throws Exception {
    five();

    requests("show", "3")
        .exits(0)
        .printsLike(
            "(?m)^id +3$",
            "(?m)^request_status +error$",
            "(?m)^error_text +no such account\\\\n  at 7$",
            "(?m)^not_before +-$",
            "(?m)^payload +\\{ \"n\": 3 }$");
  }

  @Test
  void showForProgramsIsOneLineWhateverThePayload() throws Exception {
    five();
    site.execute(
        "INSERT INTO handoff.accounts (entity_id, payload) VALUES ('z', E'{\\r"
            + "\\n"
            + " \"a\": 1e5\\n"
            + "}')");

    JsonNode failed = requests("show", "3", "-o", "json").json();
    assertThat(failed.get("payload").toString()).isEqualTo("{\"n\":3}");
    assertThat(failed.get("attempts").intValue()).isEqualTo(2);
    assertThat(requests("show", "4", "-o", "json").json().get("payload").isNull()).isTrue();
    Run lines = requests("show", "6", "-o", "json");
    assertThat(lines.out()).hasLineCount(1).contains("\"a\": 1e5");
    assertThat(lines.json().get("payload")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"show", "retry", "cancel"})
  void anUnknownRequestIsAMistakeOfUse(String command) throws Exception {
    requests(command, "99")
        .exits(2)
        .saysOnly(
            "recorder: recorder accounts has no request 99; perhaps it was cleared away"
                + " (history)\n");
    requests(command, "x").exits(2);
    requests(command, "99999999999999999999").exits(2);
  }

  // ---- retry

  @Test
  void errorsAreDoneAgain() throws Exception {
    requests("add", "x", "--payload", "\"\\ud800\"");
    requests("add", "y", "--payload", "\"\\ud800\"");
    start();
    awaitSettled(2);
    assertThat(requests("list", "--status", "error", "-o", "json").json()).hasSize(2);
    site.execute("UPDATE handoff.accounts SET payload = '{\"a\":1}'");

    assertThat(requests("retry", "1", "2", "1"))
        .isEqualTo(new Run(0, "2 requests are new again\n", ""));
    await().until(() -> requests("list", "--status", "complete", "-o", "json").json().size() == 2);
    assertThat(site.store.keys(TestSite.BUCKET, "prod/accounts/"))
        .contains("prod/accounts/x.json", "prod/accounts/y.json");
  }

  @Test
  void onlyErrorsAreDoneAgain() throws Exception {
    five();
    site.execute("UPDATE handoff.accounts SET deaths = 3, begun_by = 'host-b' WHERE id = 3");

    requests("retry", "1", "3", "5")
        .exits(1)
        .printsOnly(
            """
            1 request is new again
            request 1 is complete, and stays so: only errors are done again
            request 5 is new, and stays so: only errors are done again
            """);
    assertThat(statuses()).isEqualTo("complete complete new new new");
    assertThat(
            site.ask(
                "SELECT concat(attempts, deaths, begun_by, error_text, settled_at) FROM"
                    + " handoff.accounts WHERE id = 3"))
        .isEqualTo("00");
  }

  @Test
  void allErrorsAreDoneAgainAtOnce() throws Exception {
    five();
    site.execute("UPDATE handoff.accounts SET request_status = 'error' WHERE id <> 5");

    assertThat(requests("retry", "--all")).isEqualTo(new Run(0, "4 requests are new again\n", ""));
    assertThat(statuses()).isEqualTo("new new new new new");
    assertThat(requests("retry", "--all")).isEqualTo(new Run(0, "0 requests are new again\n", ""));
  }

  @Test
  void allErrorsAreDoneAgainEvenIfTheyFailAgainAtOnce() throws Exception {
    site.execute(
        "INSERT INTO handoff.accounts (entity_id, request_type, request_status)"
            + " SELECT 'x', 'update', 'error' FROM generate_series(1, 2500)");
    site.execute(
        "CREATE FUNCTION handoff.fails_again() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN NEW.request_status := 'error'; NEW.deaths := OLD.deaths + 7; RETURN NEW;"
            + " END $$");
    site.execute(
        "CREATE TRIGGER fails_again BEFORE UPDATE ON handoff.accounts FOR EACH ROW EXECUTE FUNCTION"
            + " handoff.fails_again()");
    try {
      assertThat(requests("retry", "--all").out()).isEqualTo("2500 requests are new again\n");
      assertThat(site.ask("SELECT string_agg(DISTINCT deaths::text, ' ') FROM handoff.accounts"))
          .isEqualTo("7");
    } finally {
      site.execute("DROP FUNCTION handoff.fails_again CASCADE");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"retry accounts", "retry accounts 1 --all", "cancel accounts"})
  void whichRequestsAreMeantHasToBeSaid(String arguments) {
    site.run(("requests " + arguments).split(" ")).exits(2);
  }

  // ---- cancel

  @Test
  void whatIsNewAndNobodysIsCancelled() throws Exception {
    five();

    assertThat(requests("cancel", "4", "5"))
        .isEqualTo(new Run(0, "2 requests are cancelled\n", ""));
    assertThat(statuses()).isEqualTo("complete complete error error error");
    assertThat(site.ask("SELECT error_text FROM handoff.accounts WHERE id = 4"))
        .isEqualTo("cancelled by an operator");
  }

  @Test
  void whatIsSettledStaysSo() throws Exception {
    five();

    requests("cancel", "1", "3", "4")
        .exits(1)
        .printsOnly(
            """
            1 request is cancelled
            request 1 is complete already
            request 3 is error already
            """);
    assertThat(site.ask("SELECT error_text FROM handoff.accounts WHERE id = 3"))
        .startsWith("no such account");
  }

  @Test
  void whatIsBeingWorkedOnIsToldToTryLater() throws Exception {
    five();
    site.execute("UPDATE handoff.accounts SET begun_by = 'host-b' WHERE id = 4");
    try (Connection worker = site.database.connect();
        Statement statement = worker.createStatement()) {
      worker.setAutoCommit(false);
      statement.execute("SELECT FROM handoff.accounts WHERE id IN (4, 5) FOR UPDATE");

      requests("cancel", "1", "4", "5")
          .exits(75)
          .printsOnly(
              """
              0 requests are cancelled
              request 1 is complete already
              request 4 is being worked on, by host-b; try again later
              request 5 is being worked on; try again later
              """);
      worker.rollback();
    }
    assertThat(statuses()).isEqualTo("complete complete error new new");
    requests("cancel", "4", "5").exits(0);
  }

  // ---- which recorder

  @ParameterizedTest
  @ValueSource(strings = {"add orders x", "list orders", "show orders 1", "retry orders --all"})
  void aLogHasNoRequests(String arguments) {
    site.run(("requests " + arguments).split(" "))
        .exits(2)
        .saysOnly("recorder: recorder 'orders' has kind = log, not kind = requests\n");
  }

  @Test
  void anUnknownRecorderIsAnsweredWithTheLikelyOne() {
    site.run("requests", "list", "account")
        .exits(2)
        .saysOnly("recorder: no recorder 'account'; did you mean 'accounts'?\n");
  }

  @Test
  void aRecorderThatHasNeverRunIsToldAsSuch() throws Exception {
    site.configure(site.text() + ACCOUNTS + "[recorder:later]\nlockid = 4\nkind = requests\n");

    site.run("requests", "add", "later", "x")
        .exits(75)
        .saysOnly("recorder: no host has run recorder 'later' yet\n");
  }

  @Test
  void anUnreachableDatabaseIsToldWithoutATrace() throws Exception {
    site.configure((site.text() + ACCOUNTS).replaceFirst("(?m)^port = .*$", "port = 1"));

    requests("list").exits(69).saysFirst("recorder: cannot connect to ").inOneLine();
  }

  @Test
  void withoutACommandTheCommandsAreNamed() {
    site.run("requests").exits(2).says("add", "list", "show", "retry", "cancel");
  }

  /** Two complete requests of x, an error of y, a create that waits of w, an update of x. */
  private static void five() throws SQLException {
    site.execute(
        """
        INSERT INTO handoff.accounts
          (request_type, entity_id, payload, request_status, attempts, error_text, settled_at)
        VALUES ('create', 'x', '{}', 'complete', 1, NULL, now()),
          ('update', 'x', '{}', 'complete', 1, NULL, now()),
          ('update', 'y', '{ "n": 3 }', 'error', 2, E'no such account\\n  at 7', now()),
          ('create', 'w', NULL, 'new', 0, NULL, NULL),
          ('update', 'x', '{}', 'new', 0, NULL, NULL)\
        """);
  }

  private static void start() throws Exception {
    site.start();
    String registered = "SELECT count(*) FROM recorder.lock_recorders WHERE lock_id = 3";
    await().until(() -> site.ask(registered).equals("1"));
  }

  private static Run requests(String command, String... arguments) {
    return site.run(Run.words("requests " + command + " accounts", arguments));
  }

  private static void awaitSettled(int rows) {
    String settled = "SELECT count(*) FROM handoff.accounts WHERE request_status <> 'new'";
    await().until(() -> site.ask(settled).equals(Integer.toString(rows)));
  }

  private static String statuses() throws SQLException {
    return site.ask("SELECT string_agg(request_status, ' ' ORDER BY id) FROM handoff.accounts");
  }

  private static String row(long id) throws SQLException {
    return site.ask(
        "SELECT concat_ws(' ', request_type, entity_id, coalesce(payload::text, '-'),"
            + " request_status) FROM handoff.accounts WHERE id = "
            + id);
  }

  private static String count() throws SQLException {
    return site.ask("SELECT count(*) FROM handoff.accounts");
  }
}
