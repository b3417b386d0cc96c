package dev.recorder.app.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.OwnSite;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.Patience;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.RedisServer;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code check --online} finds right and wrong. */
class CheckIT extends OwnSite {
  @Test
  void everythingIsRightBeforeTheFirstStart() {
    checkOnline()
        .doesNotPrint("FAILED")
        .prints("the first start creates them")
        .saysNothing()
        .exits(0);
  }

  @Test
  @Reading
  void everythingIsRightWhileAMachineRuns() throws Exception {
    checkOnline()
        .exits(0)
        .printsLike(
            "ok +server +PostgreSQL " + site.database.server().majorVersion(),
            "ok +role +recorder, not a superuser",
            "ok +tables +schema recorder has version 1",
            "ok +rights +all that recorders need",
            "ok +locks +one was taken and freed",
            "ok +lock of orders +lockid 1 is held by recorder/host-a/control from",
            "ok +row of audit +lockid and layout are those of this file",
            "ok +bucket bucket +of many racing conditional writes exactly one wins",
            "ok +log of orders +prod/orders/_log.json is this database's");
  }

  @Test
  @MachineStopped
  void theFoldersOfTablesAreTriedWhereTablesAreWanted() throws Exception {
    checkOnline().doesNotPrint("tables of orders");
    site.configure(site.text().replace("lockid = 1\n", "lockid = 1\ntable = delta\n"));

    checkOnline()
        .exits(0)
        .printsLike("ok +tables of orders +their folders can be read and written");
  }

  @Test
  @Reading
  void programsGetTheSame() throws Exception {
    JsonNode json = site.run("check", "--online", "-o", "json").json();

    assertThat(json.get("ok").booleanValue()).isTrue();
    assertThat(json.get("findings")).isEmpty();
    assertThat(json.get("checks"))
        .extracting(check -> check.get("check").textValue())
        .startsWith(
            "server",
            "role",
            "tables",
            "rights",
            "code of others",
            "rights of others",
            "locks",
            "lock of orders");
    assertThat(json.get("checks")).allMatch(check -> check.get("ok").booleanValue());
  }

  @Test
  void aRoleThatMayNotCreateTheTablesIsSentToAnAdministrator() throws Exception {
    try (TestSite poor = TestSite.withoutRights(folder)) {
      poor.run("check", "--online").exits(77).printsLike("FAILED +tables .*run 'recorder schema'");
    }
  }

  @Test
  @MachineStopped
  void aMissingRightIsNamed() throws Exception {
    site.database.execute(
        "ALTER TABLE recorder.slots OWNER TO postgres",
        "GRANT SELECT ON recorder.slots TO recorder");

    checkOnline().exits(77).printsLike("FAILED +rights +missing: INSERT on recorder.slots, ");
  }

  @Test
  @MachineStopped
  void whatTheRoleOfQueriesMayBesideReadingIsNamedWithItsRemedy() throws Exception {
    site.database.execute(site.run("schema").exits(0).out());
    Run before = checkOnline();
    site.database.execute("GRANT INSERT ON handoff.orders TO recorder_reader");

    Run run = checkOnline();

    before.printsLike("ok +code of others +runs as roles that may do no more than they have to");
    run.exits(77)
        .printsLike(
            "FAILED +code of others +runs with more rights than it should: role recorder_reader"
                + " has INSERT on handoff.orders: run REVOKE INSERT ON handoff.orders FROM"
                + " recorder_reader;");
  }

  @Test
  @MachineStopped
  void whatOthersMayBesideReadingIsNamedWithItsRemedy() throws Exception {
    Run before = checkOnline();
    site.database.execute("GRANT UPDATE ON recorder.slots TO PUBLIC");

    Run run = checkOnline();

    before.printsLike("ok +rights of others +no more than 'recorder schema' lets them");
    run.exits(77)
        .printsLike(
            "FAILED +rights of others +more than 'recorder schema' lets them: everybody has UPDATE"
                + " on recorder.slots: run REVOKE UPDATE ON recorder.slots FROM PUBLIC;");
  }

  @Test
  @MachineStopped
  void whatCommandsLackIsNamedByTheCheckToWhichTheySend() throws Exception {
    site.database.execute(
        "REVOKE SELECT ON recorder.conditions, recorder.verdicts, recorder.pauses,"
            + " recorder.operator_orders FROM recorder");
    String message = "ERROR: permission denied for table conditions (SQLSTATE 42501)";
    String remedy = "; 'recorder check --online' prints the rights that are missing";

    site.run("status").exits(77).saysOnly("recorder: " + message + remedy + "\n");
    site.run("explain", "orders").exits(77).says(message + remedy).inOneLine();
    site.run("status", "--check").exits(2).prints("RECORDER CRITICAL - " + message + remedy);
    checkOnline()
        .exits(77)
        .printsLike(
            "FAILED +rights +missing: SELECT on recorder.conditions, SELECT on recorder.verdicts,"
                + " SELECT on recorder.operator_orders, SELECT on recorder.pauses;",
            "GRANT SELECT ON recorder.pauses TO recorder;");
  }

  @Test
  @MachineStopped
  void aTableThatTheFirstStartMayNotMakeIsFound() throws Exception {
    site.configure(site.text() + "[recorder:fourth]\nlockid = 4\nprimary = false\n");
    checkOnline().exits(0).printsLike("ok +row of fourth +there is none yet; the first start cr");
    site.database.execute("REVOKE CREATE ON SCHEMA handoff FROM recorder");

    checkOnline()
        .exits(77)
        .printsLike(
            "FAILED +rights +missing: CREATE on schema handoff to make handoff.fourth, which is"
                + " missing; let an administrator run the output of 'recorder schema', or: GRANT"
                + " CREATE ON SCHEMA handoff TO recorder;",
            "FAILED +row of fourth +there is none yet, and the first start may not create its"
                + " table");

    site.database.execute("ALTER SCHEMA recorder OWNER TO postgres");
    checkOnline()
        .exits(77)
        .printsLike(
            "FAILED +tables +ERROR: permission denied for schema recorder \\(SQLSTATE 42501\\)\n",
            "FAILED +rights +missing: USAGE on schema recorder, ");
  }

  @Test
  @MachineStopped
  void whatClearingLacksIsNamedThoughRecordingNeedsNoneOfIt() throws Exception {
    site.database.execute(
        "REVOKE UPDATE ON SEQUENCE handoff.orders_id_seq FROM recorder",
        "REVOKE TRUNCATE ON recorder.handoff_orders_3 FROM recorder",
        "REVOKE DELETE ON recorder.slots FROM recorder");

    checkOnline()
        .exits(77)
        .printsLike(
            "FAILED +rights +missing: UPDATE on handoff.orders_id_seq, TRUNCATE on"
                + " recorder.handoff_orders_3, DELETE on recorder.slots;",
            "GRANT TRUNCATE ON recorder.handoff_orders_3 TO recorder;");
  }

  @Test
  void whoKeepsRowsForEverNeedsNoRightToClear() throws Exception {
    site.configure(site.text().replace("lockid = 1\n", "lockid = 1\nhistory = forever\n"));
    site.runOnce();
    site.database.execute("REVOKE TRUNCATE ON recorder.handoff_orders_3 FROM recorder");

    checkOnline().printsLike("ok +rights");
  }

  @Test
  @MachineStopped
  void aStrangerWhoHoldsARecordersLockOrTheOneOfEachStartIsAFault() throws Exception {
    try (Connection stranger = site.database.connectAsSuperuser();
        Statement statement = stranger.createStatement()) {
      String take = "SELECT pg_advisory_lock(" + SchemaNames.DEFAULT.lockNamespace();
      statement.execute(take + ", 1), pg_advisory_lock(1)");
      Run recorders = checkOnline();
      statement.execute(take + ", 999)");
      Run all = checkOnline();

      recorders
          .exits(1)
          .printsLike(
              "FAILED +lock of orders +lockid 1 is held by a foreign session: database"
                  + " session \\d+ of role postgres, application 'PostgreSQL JDBC Driver'",
              "ok +locks +one was taken");
      all.printsLike("FAILED +locks +lockid 999, which each start needs, is held by");
    }
  }

  @Test
  @MachineStopped
  void aPayloadThatIsNoLongerKeptByteForByteIsAFault() throws Exception {
    site.database.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT only_captures_write_changes",
        "ALTER TABLE handoff.orders ALTER COLUMN payload TYPE jsonb");

    checkOnline()
        .exits(78)
        .printsLike(
            "FAILED +row of orders +column payload of .* has become jsonb", "ok +row of audit");
  }

  @Test
  @MachineStopped
  void tablesOfANewerProgramAreRefused() throws Exception {
    site.database.execute("UPDATE recorder.schema_info SET version = 99");

    checkOnline().exits(78).printsLike("FAILED +tables +schema recorder has version 99");
  }

  @Test
  @Reading
  void aFileThatContradictsTheDatabaseIsFound() throws Exception {
    site.configure(site.text().replace("lockid = 1\n", "lockid = 3\n").replace("none", "gzip"));

    checkOnline()
        .exits(78)
        .printsLike(
            "FAILED +row of orders +has lockid 1, this file says 3; correct the file",
            "FAILED +row of audit +the log of recorder audit was created as");
  }

  @Test
  void aStoreWithoutTheLogIsFound() throws Exception {
    site.runOnce();
    site.store.delete(TestSite.BUCKET, "prod/orders/_log.json");

    checkOnline().exits(1).printsLike("FAILED +log of orders +object prod/orders/_log.json is");
  }

  @Test
  void aPlaceThatHasTheObjectsOfAnotherDatabaseIsFoundBeforeTheFirstStartAndAfterIt()
      throws Exception {
    String docs = "\n[recorder:docs]\nlockid = 7\nkind = requests\n";
    site.configure(site.text() + docs);
    site.start();
    Patience.await()
        .until(() -> !site.store.keys(TestSite.BUCKET, "prod/docs/_about/recorder.json").isEmpty());
    site.stop();
    String[] found = {
      "FAILED +log of orders +object prod/orders/_log.json in",
      "FAILED +documents of docs +object prod/docs/_about/recorder.json in"
    };

    site.execute(
        "UPDATE recorder.lock_recorders SET log_created = false, log_uuid = gen_random_uuid()"
            + " WHERE recorder <> 'audit'");
    Run run =
        checkOnline()
            .exits(1)
            .printsLike(found)
            .prints("give this recorder a prefix of its own")
            .printsLike("ok +log of audit");
    assertThat(Pattern.compile("(?m)^(?:ok|FAILED) +(.+?)  ").matcher(run.out()).results())
        .extracting(row -> row.group(1))
        .contains("bucket " + TestSite.BUCKET, "bucket " + TestSite.BUCKET + " for docs")
        .doesNotHaveDuplicates();

    site.execute("DELETE FROM recorder.lock_recorders WHERE recorder <> 'audit'");
    checkOnline().exits(1).printsLike(found).printsLike("ok +log of audit");
  }

  @Test
  void aMistypedBucketThatNoHostHasReachedCanBeCorrected() throws Exception {
    site.runOnce();
    site.execute(
        "UPDATE recorder.lock_recorders SET log_created = false, log_uuid = gen_random_uuid(),"
            + " layout = replace(layout::text, '\"bucket\":\"bucket', '\"bucket\":\"typo')::json");
    site.store.delete(TestSite.BUCKET, "prod/orders/_log.json");
    site.store.delete(TestSite.BUCKET, "prod/audit/_log.json");

    checkOnline().exits(0).printsLike("ok +row of orders", "ok +log of orders +not begun yet");

    site.start();
    site.record("orders", 1);
    checkOnline().exits(0).printsLike("ok +log of orders +prod/orders/_log.json is");
    assertThat(site.ask("SELECT layout FROM recorder.lock_recorders WHERE recorder = 'orders'"))
        .contains("\"bucket\":\"bucket\"");
  }

  @Test
  void aStoreThatIsGoneIsFound() throws Exception {
    site.stopStore();

    checkOnline().exits(69).printsLike("FAILED +bucket bucket");
  }

  @Test
  void aBucketThatIsMissingIsFound() throws Exception {
    site.configure(site.text().replace("bucket = bucket", "bucket = nobucket"));

    Run run = checkOnline();

    run.exits(78).printsLike("FAILED +bucket nobucket");
  }

  @Test
  void aPolicyThatRefusesUnconditionalPutsIsInForce() throws Exception {
    try (HttpTap tap = site.tapStore()) {
      tap.onRequest(
          request ->
              request.method().equals("PUT") && request.header("if-none-match").isEmpty()
                  ? Fault.answer(403, "AccessDenied")
                  : Fault.none());

      checkOnline()
          .exits(0)
          .printsLike(
              "ok +policy of orders +in force: the bucket refuses a PUT without If-None-Match");
    }
  }

  @Test
  void withoutAPolicyThereIsAHintWithTheOneToAdd() {
    checkOnline()
        .exits(0)
        .printsLike(
            "ok +policy of orders +hint: not in force: .*add the bucket policy that 'recorder")
        .prints("NobodyReplacesAnObjectOfALog")
        .prints("arn:aws:s3:::bucket/prod/orders/*")
        .prints("s3:if-none-match");
  }

  /** What it tries goes where the objects of the store's test go, and nowhere else. */
  @Test
  void thePolicyIsTriedOnATestObject() throws Exception {
    try (HttpTap tap = site.tapStore()) {
      checkOnline().exits(0);

      assertThat(tap.requests())
          .filteredOn(
              request ->
                  request.method().equals("PUT") && request.header("if-none-match").isEmpty())
          .hasSize(2)
          .allMatch(
              request ->
                  request.path().matches("/bucket/prod/\\w+/_store_test/[0-9a-f-]+-unconditional"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400, XAmzContentSHA256Mismatch",
    "501, NotImplemented",
    "400, InvalidArgument",
    "411, MissingContentLength"
  })
  void aStoreThatRefusesAppendedChecksumsIsFoundWithTheKeyThatTurnsThemOff(int status, String code)
      throws Exception {
    try (HttpTap tap = site.tapStore()) {
      tap.onRequest(
          request ->
              request.header("x-amz-trailer").isPresent()
                  ? Fault.answer(status, code)
                  : Fault.none());
      checkOnline()
          .exits(78)
          .printsLike("FAILED +bucket bucket .*set checksums = when_required\\s");

      String tapped = Files.readString(site.ini());
      site.configure(
          tapped.replace("bucket = bucket", "bucket = bucket\nchecksums = when_required"));
      checkOnline().exits(0);
    }
  }

  @Test
  void aServerOfKeysThatAnswersIsRight() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      site.configure(elected(redis.port(), ""));

      checkOnline()
          .exits(0)
          .printsLike("ok +redis +redis://127.0.0.1:\\d+: a lock was taken and freed");
      assertThat(redis.ask("EXISTS", "recorder:lock:{check}")).isEqualTo(0L);
    }
  }

  @Test
  void aServerOfKeysThatIsGoneIsFoundWithTheLineThatNamesIt() throws Exception {
    site.configure(elected(1, ""));

    checkOnline()
        .exits(69)
        .printsLike(
            "FAILED +redis +\\S+changed.ini:%d: cannot connect to redis://127.0.0.1:1: .*; start the"
                .formatted(lineOf("endpoint = 127.0.0.1", 2)));
  }

  @Test
  void aPasswordThatRedisRefusesIsFoundWithItsLine() throws Exception {
    try (RedisServer redis = RedisServer.start(Map.of("requirepass", "right"))) {
      site.configure(elected(redis.port(), "password = wrong\n"));

      checkOnline()
          .exits(77)
          .printsLike(
              "FAILED +redis +\\S+changed.ini:%d: cannot connect to .*: WRONGPASS; correct user"
                  .formatted(lineOf("password = wrong", 1)))
          .doesNotPrint("wrong;");
    }
  }

  /** The site's file with an election by key. */
  private String elected(int port, String more) {
    return site.text().replaceFirst("(lockid = 1\n)primary = true\n", "$1election = redis\n")
        + "[redis]\nendpoint = 127.0.0.1\nport = %d\n%s".formatted(port, more);
  }

  /** Of the line that has this text for the so-manieth time. */
  private int lineOf(String text, int time) throws Exception {
    List<String> lines = Files.readAllLines(folder.resolve("changed.ini"));
    return 1
        + IntStream.range(0, lines.size())
            .filter(line -> lines.get(line).equals(text))
            .skip(time - 1)
            .findFirst()
            .orElseThrow();
  }

  @Test
  @MachineStopped
  void tablesOfLocksThatAreMissingAreSaidButNoFault() throws Exception {
    Run before = checkOnline();
    site.database.execute(
        "ALTER SEQUENCE recorder.lock_token OWNER TO postgres",
        "ALTER TABLE recorder.lock_mutex OWNER TO postgres",
        "GRANT SELECT, INSERT ON recorder.lock_mutex TO recorder");

    Run run = checkOnline();

    before.printsLike("ok +tables of locks +all that 'recorder lock'");
    run.exits(0)
        .printsLike(
            "ok +tables of locks +warning: .* lack USAGE on recorder.lock_token, UPDATE on"
                + " recorder.lock_mutex; let an administrator run the output of 'recorder schema'");
  }

  @Test
  @MachineStopped
  void whatNothingIsRecordedOrReadQuicklyWithoutIsFound() throws Exception {
    site.database.execute("DROP INDEX handoff.orders_xid_id");
    Run slow = checkOnline();
    site.database.execute(
        "ALTER TABLE recorder.lock_recorders DISABLE TRIGGER ALL",
        "ALTER ROLE recorder IN DATABASE %s SET default_transaction_read_only = on"
            .formatted(site.database.name()));

    Run run = checkOnline();
    site.run("explain", "orders").prints("default_transaction_read_only");

    slow.exits(0)
        .printsLike(
            "ok +row of orders .*warning: recorder.handoff_orders_0 has no valid index by .xid,"
                + " id.",
            "ok +row of audit +lockid and layout are those of this file\n");
    run.printsLike(
        "FAILED +role +sessions of recorder are read-only, by default_transaction_read_only",
        "FAILED +tables +trigger incumbent_changed of table recorder.lock_recorders is disabled");
  }

  @Test
  void fewerConnectionsThanThisHostNeedsAreFound() throws Exception {
    site.configure(site.text() + "[recorder:inbox]\nlockid = 3\nkind = requests\nworkers = 10\n");
    site.database.execute("ALTER DATABASE " + site.database.name() + " CONNECTION LIMIT 19");
    Run enough = checkOnline();
    site.database.execute("ALTER DATABASE " + site.database.name() + " CONNECTION LIMIT 18");

    Run run = checkOnline();

    enough.printsLike(
        "ok +connections +this host needs 19 at most, all hosts together may have 19");
    run.exits(78)
        .printsLike("FAILED +connections +this host needs up to 19, and all hosts together may");
  }

  @Test
  void aDatabaseThatIsGoneIsFound() throws Exception {
    site.configure(site.textWithPort(1));

    checkOnline().exits(69).printsLike("FAILED +database +cannot connect to").saysNothing();
  }
}
