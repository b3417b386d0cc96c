package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.app.cli.output.StandardOutput;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.GreetingTap;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.PostgresServer;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code run} and its like say, and end with, where they cannot work. */
@Timeout(600)
class BadInputIT extends OwnSite {
  private static final String LARGE_ROW =
      "INSERT INTO handoff.%s (payload) SELECT to_json(repeat('x', 5000))";

  // ---- payloads

  @Test
  void rowsOverAMaxPayloadThatCameLaterAreRecordedAllTheSame() throws Exception {
    site.runOnce();
    site.execute(
        "INSERT INTO handoff.orders (key, payload) SELECT 'k' || i, to_json(repeat('x', 5000))"
            + " FROM generate_series(1, 3) i");
    site.configure(site.text().replace("lockid = 1\n", "lockid = 1\nmax_payload = 1KiB\n"));

    site.start();
    site.record("orders", 5);

    assertThatThrownBy(() -> site.execute(LARGE_ROW.formatted("orders")))
        .hasMessageContaining("payload_within_max_payload");
    site.run("verify", "orders").exits(0);
    assertThat(site.run("cat", "orders").jsonLines()).hasSize(8);
  }

  @Test
  @MachineStopped
  void theScriptForAdministratorsSetsMaxPayloadToo() throws Exception {
    site.configure(site.text().replace("lockid = 1\n", "lockid = 1\nmax_payload = 1KiB\n"));

    site.database.execute(site.run("schema").out());

    assertThatThrownBy(() -> site.execute(LARGE_ROW.formatted("orders")))
        .hasMessageContaining("payload_within_max_payload");
    site.execute(LARGE_ROW.formatted("audit"));
  }

  // ---- the database

  @Test
  void runEndsOnWrongCredentialsWithOneLastLine() throws Exception {
    site.configure(site.text().replace("recorder-password", "wrong-one"));

    site.run("run")
        .exits(77)
        .saysFirst(
            "recorder: run has ended with exit code 77: cannot connect to recorder@127.0.0.1")
        .says("password authentication failed", "SQLSTATE 28P01")
        .doesNotSay("wrong-one")
        .inOneLine();
  }

  @Test
  void runEndsOnADatabaseThatIsMissing() throws Exception {
    site.configure(site.text().replaceFirst("(?m)^database = .*$", "database = nowhere"));

    site.run("run").exits(78).says("\"nowhere\" does not exist").inOneLine();
  }

  @Test
  @MachineStopped
  void runEndsOnAMissingGrantAndNamesItLast() throws Exception {
    site.database.execute(
        "ALTER TABLE recorder.slots OWNER TO postgres",
        "GRANT SELECT ON recorder.slots TO recorder");

    assertThat(site.run("run").exits(77).err().lines())
        .containsExactly(
            "recorder: this role lacks INSERT on recorder.slots; let an administrator run:",
            "GRANT INSERT ON recorder.slots TO recorder;",
            "recorder: run has ended with exit code 77: this role lacks INSERT on recorder.slots;"
                + " let an administrator run: (the whole message is above)");
  }

  @Test
  void runEndsWhereItMayNotCreateItsTables() throws Exception {
    try (TestSite poor = TestSite.withoutRights(folder)) {
      Run run = poor.run("run").exits(77).says("'recorder schema'");

      assertThat(run.err().lines().reduce((first, last) -> last).orElseThrow())
          .startsWith("recorder: run has ended with exit code 77: tables of schema recorder miss");
    }
  }

  @Test
  @MachineStopped
  void runEndsOnTablesOfAnotherVersion() throws Exception {
    site.database.execute("UPDATE recorder.schema_info SET version = 99");

    site.run("run")
        .exits(78)
        .says(
            "schema recorder has version 99, this program runs on 1", "update this host's program")
        .inOneLine();
  }

  @Test
  void anOldServerIsRefused() throws Exception {
    String own = site.ask("SELECT current_setting('server_version')");
    try (GreetingTap tap =
        GreetingTap.ofVersion(site.database.server().port(), own, "13" + own.substring(2))) {
      site.configure(site.textWithPort(tap.port()));

      assertUnusable("PostgreSQL 13 at recorder@127.0.0.1", "is too old: 14 or newer is needed");
    }
  }

  private void assertUnusable(String... said) {
    for (String command : List.of("run", "check --online", "status")) {
      Run run = site.run(command.split(" ")).exits(78);

      assertThat(run.out() + run.err()).contains(said);
    }
  }

  @Test
  void aSuperuserIsToldSoByCheck() throws Exception {
    site.configure(
        site.text().replaceFirst("(?m)^user = .*$", "user = " + PostgresServer.SUPERUSER));

    assertThat(checkOnline().out())
        .containsPattern("ok +role +postgres, a superuser; it needs none of that");
  }

  @Test
  @MachineStopped
  void aLockidThatBelongsToAnotherRecorderIsFound() throws Exception {
    site.configure(site.text().replace("[recorder:orders]", "[recorder:invoices]"));

    checkOnline()
        .exits(78)
        .printsLike("FAILED +row of invoices +lockid 1 belongs to recorder orders in the database");
  }

  // ---- the store

  @ParameterizedTest
  @CsvSource({"PUT, s3:PutObject", "GET, s3:GetObject", "HEAD GET, s3:ListBucket"})
  void aMissingIamActionIsNamed(String methods, String action) throws Exception {
    try (HttpTap tap = site.tapStore()) {
      tap.onRequest(
          request ->
              methods.contains(request.method())
                  ? Fault.answer(403, "AccessDenied")
                  : Fault.none());

      checkOnline().exits(77).printsLike("FAILED +bucket bucket .*HTTP 403.*; allow .*" + action);
    }
  }

  /** In the words of AWS, whose answer to a HEAD has none. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT | AccessDenied | User: arn:aws:sts::123456789012:assumed-role/recorder/i-1 is not"
            + " authorized to perform: kms:GenerateDataKey on resource:"
            + " arn:aws:kms:eu-central-1:123456789012:key/k because no identity-based policy allows"
            + " the kms:GenerateDataKey action | 77 | PUT | allow kms:GenerateDataKey and"
            + " kms:Decrypt on the key that encrypts the bucket",
        "PUT HEAD GET | RequestTimeTooSkewed | The difference between the request time and the"
            + " current time is too large. | 1 | HEAD | set this host's clock, by NTP or chrony",
      })
  void aKeyWithoutRightsAndAWrongClockAreToldByCheckAndByTheHostAlike(
      String refused, String code, String message, int exitCode, String first, String remedy)
      throws Exception {
    String said = "HTTP 403 " + code + " (" + message + "); " + remedy;
    try (HttpTap tap = site.tapStore()) {
      site.start();
      tap.onRequest(
          request ->
              refused.contains(request.method())
                  ? Fault.document(403, error(code, message))
                  : Fault.none());

      Run check = checkOnline().exits(exitCode).doesNotPrint("in force");
      assertThat(unbroken(check))
          .containsPattern(
              "FAILED bucket bucket "
                  + first
                  + " of [^ ]+ in bucket bucket: "
                  + Pattern.quote(said));
      site.execute("INSERT INTO handoff.orders (key, payload) VALUES ('k', '1')");
      await()
          .untilAsserted(() -> assertThat(unbroken(site.run("explain", "orders"))).contains(said));
    }
  }

  /** Tables break long lines. */
  private static String unbroken(Run run) {
    return run.out().replaceAll("\\s+", " ");
  }

  private static String error(String code, String message) {
    return "<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>";
  }

  @Test
  void rulesThatLetObjectsExpireAreShown() throws Exception {
    try (HttpTap tap = site.tapStore()) {
      tap.onRequest(
          request ->
              request.target().contains("lifecycle")
                  ? Fault.document(
                      200,
                      """
                      <LifecycleConfiguration><Rule><ID>monthly</ID>
                      <Filter><Prefix>prod/orders/</Prefix></Filter><Status>Enabled</Status>
                      <Expiration><Days>30</Days></Expiration></Rule></LifecycleConfiguration>\
                      """)
                  : Fault.none());

      checkOnline()
          .exits(0)
          .printsLike("ok +lifecycle of orders +warning: .* expire: monthly; .*recorder expire")
          .doesNotPrint("lifecycle of audit");
    }
  }

  // ---- standard output

  @Test
  void aResultThatCannotBePrintedIsAFailure() throws Exception {
    site.start();
    for (String line :
        List.of(
            "status",
            "status -o json",
            "takeovers",
            "takeovers -o json",
            "verify",
            "verify -o json",
            "check --online",
            "check -o json",
            "expire orders --below 1 --yes")) {
      StringWriter err = new StringWriter();
      StandardOutput out =
          new StandardOutput(StandardOutputTest.failing("No space left on device"));
      CommandLine command =
          RecorderCommand.withAllCommands(out).setOut(out.writer()).setErr(new PrintWriter(err));
      String[] args = (line + " -c " + folder.resolve("recorder.ini")).split(" ");

      assertThat(RecorderCommand.execute(command, out, args)).as(line).isEqualTo(1);

      assertThat(err.toString())
          .endsWith("recorder: cannot write to standard output: No space left on device\n");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDeviceIsNoticedByTheProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                RecorderCommand.class.getName(),
                "schema",
                "-c",
                folder.resolve("recorder.ini").toString())
            .redirectOutput(new File("/dev/full"))
            .start();

    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(err)
        .isEqualTo("recorder: cannot write to standard output: No space left on device\n");
  }
}
