package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.testing.Fault;
import dev.recorder.testing.HttpTap;
import dev.recorder.testing.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code check --online} finds right and wrong. */
class CheckIT {
  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void create() throws Exception {
    site = TestSite.create(folder);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void everythingIsRightBeforeTheFirstStart() {
    Run run = site.run("check", "--online");

    assertThat(run.out()).doesNotContain("FAILED").contains("the first start creates them");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void everythingIsRightWhileAMachineRuns() throws Exception {
    site.start();

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("ok +server +PostgreSQL " + site.database.server().majorVersion())
        .containsPattern("ok +role +recorder, not a superuser")
        .containsPattern("ok +tables +schema recorder has version 1")
        .containsPattern("ok +rights +all that recorders need")
        .containsPattern("ok +locks +one was taken and freed")
        .containsPattern("ok +lock of orders +lockid 1 is held by recorder/host-a/control from")
        .containsPattern("ok +row of audit +lockid and layout are those of this file")
        .containsPattern("ok +bucket bucket +of many racing conditional writes exactly one wins")
        .containsPattern("ok +log of orders +prod/orders/_log.json is this database's");
  }

  @Test
  void programsGetTheSame() throws Exception {
    site.start();

    JsonNode json = site.run("check", "--online", "-o", "json").json();

    assertThat(json.get("ok").booleanValue()).isTrue();
    assertThat(json.get("findings")).isEmpty();
    assertThat(json.get("checks"))
        .extracting(check -> check.get("check").textValue())
        .startsWith("server", "role", "tables", "rights", "locks", "lock of orders");
    assertThat(json.get("checks")).allMatch(check -> check.get("ok").booleanValue());
  }

  @Test
  void aRoleThatMayNotCreateTheTablesIsSentToAnAdministrator() throws Exception {
    try (TestSite poor = TestSite.withoutRights(folder)) {
      Run run = poor.run("check", "--online");

      assertThat(run.exitCode()).isEqualTo(77);
      assertThat(run.out()).containsPattern("FAILED +tables .*run 'recorder schema'");
    }
  }

  @Test
  void aMissingRightIsNamed() throws Exception {
    site.start();
    site.stop();
    site.database.execute(
        "ALTER TABLE recorder.slots OWNER TO postgres",
        "GRANT SELECT ON recorder.slots TO recorder");

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(77);
    assertThat(run.out()).containsPattern("FAILED +rights +missing: INSERT on recorder.slots;");
  }

  @Test
  void aStrangerWhoHoldsARecordersLockOrTheOneOfEachStartIsAFault() throws Exception {
    site.start();
    site.stop();
    try (Connection stranger = site.database.connectAsSuperuser();
        Statement statement = stranger.createStatement()) {
      String take = "SELECT pg_advisory_lock(" + SchemaNames.DEFAULT.lockNamespace();
      statement.execute(take + ", 1), pg_advisory_lock(1)");
      Run recorders = site.run("check", "--online");
      statement.execute(take + ", 999)");
      Run all = site.run("check", "--online");

      assertThat(recorders.exitCode()).isEqualTo(1);
      assertThat(recorders.out())
          .containsPattern(
              "FAILED +lock of orders +lockid 1 is held by somebody who is no recorder: database"
                  + " session \\d+ of role postgres, application 'PostgreSQL JDBC Driver'")
          .containsPattern("ok +locks +one was taken");
      assertThat(all.out())
          .containsPattern("FAILED +locks +lockid 999, which each start needs, is held by");
    }
  }

  @Test
  void aPayloadThatIsNoLongerKeptByteForByteIsAFault() throws Exception {
    site.start();
    site.stop();
    site.database.execute("ALTER TABLE handoff.orders ALTER COLUMN payload TYPE jsonb");

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(78);
    assertThat(run.out())
        .containsPattern("FAILED +row of orders +column payload of .* has become jsonb")
        .containsPattern("ok +row of audit");
  }

  @Test
  void tablesOfANewerProgramAreRefused() throws Exception {
    site.start();
    site.stop();
    site.database.execute("UPDATE recorder.schema_info SET version = 99");

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(78);
    assertThat(run.out()).containsPattern("FAILED +tables +schema recorder has version 99");
  }

  @Test
  void aFileThatContradictsTheDatabaseIsFound() throws Exception {
    site.start();
    site.stop();
    site.configure(site.text().replace("lockid = 1\n", "lockid = 3\n").replace("none", "gzip"));

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(78);
    assertThat(run.out())
        .containsPattern("FAILED +row of orders +has lockid 1, this file says 3; correct the file")
        .containsPattern("FAILED +row of audit +the log of recorder audit was created as");
  }

  @Test
  void aStoreWithoutTheLogIsFound() throws Exception {
    site.start();
    site.stop();
    site.store.delete(TestSite.BUCKET, "prod/orders/_log.json");

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).containsPattern("FAILED +log of orders +object prod/orders/_log.json is");
  }

  @Test
  void aStoreThatIsGoneIsFound() throws Exception {
    site.stopStore();

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(69);
    assertThat(run.out()).containsPattern("FAILED +bucket bucket");
  }

  @Test
  void aBucketThatIsMissingIsFound() throws Exception {
    site.configure(site.text().replace("bucket = bucket", "bucket = nobucket"));

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.out()).containsPattern("FAILED +bucket nobucket");
  }

  @Test
  void aStoreThatRefusesAppendedChecksumsIsFoundWithTheKeyThatTurnsThemOff() throws Exception {
    try (HttpTap tap = HttpTap.to(site.store.port())) {
      tap.onRequest(
          request ->
              request.header("x-amz-trailer").isPresent()
                  ? Fault.answer(400, "XAmzContentSHA256Mismatch")
                  : Fault.none());
      String tapped =
          site.text().replace(site.store.endpoint().toString(), tap.endpoint().toString());
      site.configure(tapped);
      Run run = site.run("check", "--online");
      site.configure(
          tapped.replace("bucket = bucket", "bucket = bucket\nchecksums = when_required"));
      Run corrected = site.run("check", "--online");

      assertThat(run.exitCode()).isEqualTo(78);
      assertThat(run.out())
          .containsPattern("FAILED +bucket bucket .*set checksums = when_required\\s");
      assertThat(corrected.exitCode()).as(corrected.out()).isZero();
    }
  }

  @Test
  void aServerOfKeysThatAnswersIsRight() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      site.configure(elected(redis.port(), ""));

      Run run = site.run("check", "--online");

      assertThat(run.exitCode()).as(run.out()).isZero();
      assertThat(run.out())
          .containsPattern("ok +redis +redis://127.0.0.1:\\d+: a lock was taken and freed");
      assertThat(redis.ask("EXISTS", "recorder:lock:{check}")).isEqualTo(0L);
    }
  }

  @Test
  void aServerOfKeysThatIsGoneIsFoundWithTheLineThatNamesIt() throws Exception {
    site.configure(elected(1, ""));

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(69);
    assertThat(run.out())
        .containsPattern(
            "FAILED +redis +\\S+changed.ini:%d: cannot connect to redis://127.0.0.1:1: .*; start the"
                .formatted(lineOf("endpoint = 127.0.0.1", 2)));
  }

  @Test
  void aPasswordThatRedisRefusesIsFoundWithItsLine() throws Exception {
    try (RedisServer redis = RedisServer.start(Map.of("requirepass", "right"))) {
      site.configure(elected(redis.port(), "password = wrong\n"));

      Run run = site.run("check", "--online");

      assertThat(run.exitCode()).isEqualTo(77);
      assertThat(run.out())
          .containsPattern(
              "FAILED +redis +\\S+changed.ini:%d: cannot connect to .*: WRONGPASS; correct user"
                  .formatted(lineOf("password = wrong", 1)))
          .doesNotContain("wrong;");
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
  void tablesOfLocksThatAreMissingAreSaidButNoFault() throws Exception {
    site.start();
    site.stop();
    Run before = site.run("check", "--online");
    site.database.execute(
        "ALTER SEQUENCE recorder.lock_token OWNER TO postgres",
        "ALTER TABLE recorder.lock_mutex OWNER TO postgres",
        "GRANT SELECT, INSERT ON recorder.lock_mutex TO recorder");

    Run run = site.run("check", "--online");

    assertThat(before.out()).containsPattern("ok +tables of locks +all that 'recorder lock'");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern(
            "ok +tables of locks +warning: .* lack USAGE on recorder.lock_token, UPDATE on"
                + " recorder.lock_mutex; let an administrator run the output of 'recorder schema'");
  }

  @Test
  void fewerConnectionsThanThisHostNeedsAreFound() throws Exception {
    site.configure(site.text() + "[recorder:inbox]\nlockid = 3\nkind = requests\nworkers = 10\n");
    site.database.execute("ALTER DATABASE " + site.database.name() + " CONNECTION LIMIT 14");
    Run enough = site.run("check", "--online");
    site.database.execute("ALTER DATABASE " + site.database.name() + " CONNECTION LIMIT 13");

    Run run = site.run("check", "--online");

    assertThat(enough.out())
        .containsPattern(
            "ok +connections +this host needs 14 at most, all hosts together may have 14");
    assertThat(run.exitCode()).isEqualTo(78);
    assertThat(run.out())
        .containsPattern(
            "FAILED +connections +this host needs up to 14, and all hosts together may");
  }

  @Test
  void aDatabaseThatIsGoneIsFound() throws Exception {
    site.configure(site.text().replaceFirst("(?m)^port = .*$", "port = 1"));

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(69);
    assertThat(run.out()).containsPattern("FAILED +database +cannot connect to");
    assertThat(run.err()).isEmpty();
  }
}
