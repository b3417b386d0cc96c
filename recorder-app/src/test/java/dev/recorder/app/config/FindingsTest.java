package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator is told, word for word where the words matter. */
class FindingsTest {
  private static final String LEAVE_OUT = " help: leave the key out";

  @TempDir private Path folder;

  @Test
  void allFindingsComeAtOnceInTheOrderOfTheLines() {
    String text =
        """
        [machine]
        nmae = a
        [postgredb]
        endpoint = db
        port = 70000
        database = app
        [timing]
        lease = soon
        [recorder:Orders]
        lockid = 999
        primary = perhaps
        [loggin]
        """;

    assertThat(TestIni.findings(folder, text))
        .containsExactly(
            "2: error: unknown key nmae in [machine]; help: did you mean name?",
            "3: error: [postgredb] has no user; help: write user = the one role of all hosts",
            "5: error: port = 70000 is out of range; help: write a whole number from 1 to 65535",
            "8: error: lease = soon is not a duration;"
                + " help: write a duration from 100ms to 1m, such as 1500ms",
            "9: error: [recorder:Orders] has no region;"
                + " help: write region = the bucket's region, such as eu-central-1",
            "9: error: [recorder:Orders] has no bucket;"
                + " help: write bucket = the bucket's name: 3 to 63 of a-z, 0-9, . and -",
            "9: error: 'Orders' is not a recorder name;"
                + " help: write [recorder:NAME] with at most 40 of a-z, 0-9 and _, a letter first",
            "10: error: lockid = 999 is reserved for creating tables and registering;"
                + " help: write a whole number from 1 to 998 that no other recorder has",
            "11: error: primary = perhaps is not a boolean; help: write true or false",
            "12: error: unknown section [loggin];"
                + " help: the sections are [machine], [postgredb], [s3], [timing], [redis], [http],"
                + " [metrics], [log] and [recorder:NAME]");
  }

  @Test
  void anElectionByAKeyNeedsAServerAndHasNoPrimary() {
    TestIni ini =
        TestIni.minimal(folder).with("recorder:orders", "election = redis", "failback = manual");

    assertThat(ini.findings())
        .containsExactly(
            ini.line("primary = true")
                + ": error: primary means nothing with election = redis, where the host that has the key"
                + " is active; help: leave the key out",
            ini.line("election = redis")
                + ": error: election = redis, and there is no section [redis];"
                + " help: write it, with the server's endpoint below it",
            ini.line("failback = manual")
                + ": warning: failback has no effect with election = redis; help: leave the key"
                + " out");
  }

  @Test
  void aUserOfRedisNeedsAPassword() {
    TestIni ini = TestIni.minimal(folder).with("redis", "user = redis", "expiry = 1ms");

    assertThat(ini.findings())
        .containsExactly(
            ini.line("[redis]")
                + ": error: [redis] has no endpoint; help: write endpoint = a host name or an IP"
                + " address; the port has a key of its own",
            ini.line("user = redis")
                + ": error: user without a password; help: write password_file, or leave user out",
            ini.line("expiry = 1ms")
                + ": error: expiry = 1ms is out of range;"
                + " help: write a duration from 1s to 10m, such as 15s");
  }

  @Test
  void anEmptyFileLacksADatabaseAndARecorder() {
    assertThat(TestIni.findings(folder, ""))
        .containsExactly(
            "1: error: section [postgredb] is missing;"
                + " help: write it, with endpoint, database and user below it",
            "1: error: there is no recorder;"
                + " help: write a section such as [recorder:orders], with a lockid");
  }

  @Test
  void theExceptionCarriesTheFindingsAndNoStackTrace() {
    Path file = TestIni.write(folder, "");
    ConfigException thrown =
        catchThrowableOfType(ConfigException.class, () -> ConfigFile.load(file, TestIni.HERE));

    assertThat(thrown.findings()).hasSize(2);
    assertThat(thrown.getMessage().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith(file + ":1: error: "));
    assertThat(thrown.getStackTrace()).isEmpty();
  }

  // Columns: section, line, what is said of it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "machine | name = a/b | name = a/b is not a valid name",
        "machine | name = | name has no value",
        "postgredb | endpoint = db:5432 | endpoint = db:5432 is not a host",
        "postgredb | endpoint = a,b | endpoint = a,b is not a host",
        "postgredb | port = 0 | port = 0 is out of range",
        "postgredb | port = 54x | port = 54x is not a whole number",
        "postgredb | port = 0x10 | port = 0x10 is not a whole number",
        "postgredb | port = 999999999999999999999 | port = 999999999999999999999 is out of range",
        "postgredb | port = -999999999999999999999 | port = -999999999999999999999 is out of range",
        "postgredb | port = 4294967301 | port = 4294967301 is out of range",
        "postgredb | schema = Rec | schema = Rec is not a schema name",
        "postgredb | schema = pg_x | schema = pg_x belongs to PostgreSQL itself",
        "postgredb | schema = information_schema | schema = information_schema belongs to"
            + " PostgreSQL",
        "postgredb | schema = user | schema = user is a reserved word of SQL",
        "postgredb | schema = left | schema = left is a reserved word of SQL",
        "postgredb | schema = public | schema = public is everybody's schema",
        "postgredb | handoff_schema = order | handoff_schema = order is a reserved word of SQL",
        "postgredb | sslmode = verify_full | sslmode = verify_full is not one of disable, allow,",
        "postgredb | password = | password has no value",
        "postgredb | password_file = | password_file has no value",
        "postgredb | sslrootcert = \"\" | sslrootcert has no value",
        "postgredb | schema = handoff | schema and handoff_schema are both handoff",
        "postgredb | handoff_schema = recorder | schema and handoff_schema are both recorder",
        "s3 | region = Frankfurt! | region = Frankfurt! is not a region",
        "s3 | bucket = My_Bucket | bucket = My_Bucket is not a bucket name",
        "s3 | prefix = /a | prefix = /a is not a prefix",
        "s3 | prefix = a/ | prefix = a/ is not a prefix",
        "s3 | prefix = a//b | prefix = a//b is not a prefix",
        "s3 | prefix = a/../b | prefix = a/../b is not a prefix",
        "s3 | endpoint = 127.0.0.1:9000 | endpoint = 127.0.0.1:9000 is not an address",
        "s3 | endpoint = ftp://a | endpoint = ftp://a is not a plain http address",
        "s3 | endpoint = http://a/b | endpoint = http://a/b is not a plain http address",
        "s3 | endpoint = http://u:pw@a | endpoint = *** is not a plain http address",
        "s3 | path_style = yes | path_style = yes is not a boolean",
        "s3 | checksums = never | checksums = never is not one of when_supported, when_required",
        "s3 | sse = aws:fsx | sse = aws:fsx is not an encryption of S3 that the recorder knows",
        "s3 | kms_key_id = k | kms_key_id has no meaning without sse = aws:kms",
        "s3 | storage_class = GLACIER | storage_class = GLACIER is an archive, whose objects must"
            + " be restored before they can be read: a log must be readable",
        "s3 | storage_class = DEEP_ARCHIVE | storage_class = DEEP_ARCHIVE is an archive",
        "s3 | storage_class = cold | storage_class = cold is not a storage class",
        "s3 | tags = a | tags = a is not a list of tags",
        "s3 | tags = a=1, a=2 | tags = a=1, a=2 is not a list of tags",
        "s3 | tags = aws:a=1 | tags = aws:a=1 has a tag that S3 does not accept",
        "s3 | tags = a=# | tags = a=# has a tag that S3 does not accept",
        "s3 | tags = =1 | tags = =1 has a tag that S3 does not accept",
        "s3 | tags = a=1,b=,c=,d=,e=,f=,g=,h=,i=,j=,k= | tags = a=1,b=,c=,d=,e=,f=,g=,h=,i=,j=,k="
            + " has 11 tags, and an object takes 10",
        "s3 | object_lock = legal | object_lock = legal is not one of governance, compliance",
        "s3 | object_lock = governance | object_lock does not say for how long",
        "s3 | retain = 400d | retain has no meaning without object_lock",
        "s3 | role_arn = recorder | role_arn = recorder is not a role's ARN",
        "s3 | external_id = x1 | external_id has no meaning without role_arn",
        "timing | heartbeat = 10ms | heartbeat = 10ms is out of range",
        "timing | heartbeat = 500 | heartbeat = 500 is not a duration",
        "timing | lease = 50ms | lease = 50ms is out of range",
        "timing | takeover_after = 2m | takeover_after = 2m is out of range",
        "timing | watch = 1ms | watch = 1ms is out of range",
        "timing | network_timeout = 2m | network_timeout = 2m is out of range",
        "timing | s3_attempt_timeout = 1h | s3_attempt_timeout = 1h is out of range",
        "timing | failback_after = 2d | failback_after = 2d is out of range",
        "recorder:orders | lockid = 0 | lockid = 0 is out of range",
        "recorder:orders | lockid = 1000 | lockid = 1000 is out of range",
        "recorder:orders | lockid = -1 | lockid = -1 is out of range",
        "recorder:orders | lockid = one | lockid = one is not a whole number",
        "recorder:orders | primary = TRUE | primary = TRUE is not a boolean",
        "recorder:orders | kind = queue | kind = queue is not one of log, requests",
        "recorder:orders | source = kafka | source = kafka is not one of handoff, timer",
        "recorder:orders | failback = no | failback = no is not one of auto, manual",
        "recorder:orders | linger = 2h | linger = 2h is out of range",
        "recorder:orders | linger = never | linger = never is not a duration",
        "recorder:orders | rotate_rows = 0 | rotate_rows = 0 is out of range",
        "recorder:orders | rotate_bytes = 8MB | rotate_bytes = 8MB is not a size",
        "recorder:orders | rotate_bytes = 2GiB | rotate_bytes = 2GiB is out of range",
        "recorder:orders | max_payload = 1 | max_payload = 1 is out of range",
        "recorder:orders | compression = lz4 | compression = lz4 is not one of gzip, zstd, none",
        "recorder:orders | history = 1s | history = 1s is out of range",
        "recorder:orders | history_block = 1023KiB | history_block = 1023KiB is out of range",
        "recorder:orders | history_block = 64m | history_block = 64m is not a size",
        "recorder:orders | table = iceberg | table = iceberg is not one of delta",
        "recorder:orders | table_interval = 2d | table_interval = 2d is out of range",
        "recorder:orders | table_bytes = 1KiB | table_bytes = 1KiB is out of range",
        "recorder:orders | table_columns = a:$.a money | table_columns = a:$.a money is not a list of columns",
        "recorder:orders | table_partition = hour | table_partition = hour is not one of day, none",
        "recorder:orders | workers = 0 | workers = 0 is out of range",
        "recorder:orders | workers = 65 | workers = 65 is out of range",
        "recorder:orders | handler = a b | handler = a b is not a handler's name",
        "recorder:orders | handler = | handler has no value",
        "recorder:orders | handler = exec: | handler = exec: names no program",
        "recorder:orders | handler = exec:bin/run | handler = exec:bin/run is not an absolute path",
        "recorder:orders | handler = exec: /run | handler = exec: /run is not an absolute path",
        "recorder:orders | handler = Exec:/run | handler = Exec:/run is not a handler's name",
        "recorder:orders | handler_timeout = 999ms | handler_timeout = 999ms is out of range",
        "recorder:orders | handler_timeout = 61m | handler_timeout = 61m is out of range",
        "recorder:orders | max_attempts = 0 | max_attempts = 0 is out of range",
        "recorder:orders | max_attempts = 1001 | max_attempts = 1001 is out of range",
        "recorder:orders | query = DELETE | query = DELETE is no query",
        "recorder:orders | query = SELECT 1 | query = SELECT 1 names no :entity",
        "recorder:orders | query = SELECT :id | query = SELECT :id has a parameter :id",
        "recorder:orders | lock_id = 2 | unknown key lock_id in [recorder:orders]",
        "recorder:orders | heartbeat = 1s | unknown key heartbeat in [recorder:orders]",
        "s3 | lockid = 1 | unknown key lockid in [s3]",
      })
  void aValueThatCannotBeIsReportedOnItsLine(String section, String line, String what) {
    TestIni ini = TestIni.minimal(folder).set(section, line);

    assertThat(ini.findings())
        .anyMatch(finding -> finding.startsWith(ini.line(line) + ": error: " + what));
  }

  @ParameterizedTest
  @CsvSource({
    "machine, name = auto",
    "postgredb, port = 65535",
    "postgredb, endpoint = ::1",
    "postgredb, endpoint = [fe80::1]",
    "s3, prefix = a.b/c-d",
    "s3, endpoint = https://s3.example",
    "s3, sse = AES256",
    "s3, storage_class = GLACIER_IR",
    "s3, 'tags = a=b, team/x = y:z@1=2'",
    "s3, role_arn = arn:aws-cn:iam::123456789012:role/path/recorder",
    "recorder:orders, lockid = 998",
    "recorder:orders, lockid = 1",
    "recorder:orders, history = 3650d",
    "recorder:orders, history = 0",
    "recorder:orders, history = forever",
    "recorder:orders, linger = 0s",
    "recorder:orders, linger = 0",
    "recorder:orders, linger = auto",
    "recorder:orders, rotate_bytes = 1024",
    "recorder:orders, workers = 64",
    "recorder:orders, handler_timeout = 1s",
    "recorder:orders, handler_timeout = 60m",
    "recorder:orders, max_attempts = 1",
    "recorder:orders, max_attempts = 1000",
    "recorder:orders, handler = exec:/",
    "timing, failback_after = 0s",
  })
  void aValueAtALimitIsFine(String section, String line) {
    assertThat(TestIni.minimal(folder).set(section, line).findings())
        .noneMatch(found -> found.contains(": error:"));
  }

  @ParameterizedTest
  @CsvSource({
    "postgredb, endpoint = db",
    "postgredb, database = app",
    "postgredb, user = rec",
    "s3, region = eu-central-1",
    "s3, bucket = bucket",
    "recorder:orders, lockid = 1",
    "recorder:orders, primary = true",
  })
  void aMissingKeyIsReportedOnItsSectionsLine(String section, String line) {
    String said = "error: [%s] has no %s; help: write %2$s = ".formatted(section, key(line));

    TestIni.minimal(folder).without(section, line).saysFirst("[" + section + "]", said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endpoint = http://a | fips = true | fips chooses among AWS's endpoints, and endpoint names"
            + " another store",
        "endpoint = http://a | dualstack = true | dualstack chooses among AWS's endpoints",
        "sse = AES256 | kms_key_id = alias/k | kms_key_id has no meaning without sse = aws:kms",
      })
  void keysOfABucketThatExcludeEachOtherAreReported(String one, String other, String what) {
    TestIni ini = TestIni.minimal(folder).set("s3", one).set("s3", other);

    assertThat(ini.findings())
        .anyMatch(finding -> finding.startsWith(ini.line(other) + ": error: " + what));
  }

  @Test
  void aBucketWithLocksDemandsChecksums() {
    TestIni ini =
        TestIni.minimal(folder)
            .with("s3", "checksums = when_required")
            .with("recorder:orders", "object_lock = compliance", "retain = 400d");

    assertThat(ini.findings())
        .anyMatch(
            finding ->
                finding.startsWith(
                    ini.line("checksums = when_required")
                        + ": error: checksums = when_required, and a bucket with object_lock"));
  }

  @Test
  void aBrokenValueIsNotReportedAsMissingToo() {
    TestIni ini =
        TestIni.minimal(folder).without("s3", "bucket = bucket").with("s3", "bucket = \"bucket");

    assertThat(ini.findings()).hasSize(1).allMatch(said -> said.contains("quote is not closed"));
  }

  @Test
  void aPrefixThatIsTooLongIsNotRepeatedInFull() {
    assertThat(TestIni.minimal(folder).with("s3", "prefix = " + "x".repeat(2_000)).findings())
        .singleElement()
        .asString()
        .contains("x… has 2000 characters: keys would be longer than S3 allows")
        .doesNotContain("x".repeat(81));
  }

  @Test
  void aFaultInS3IsReportedOnceHoweverManyRecordersInheritIt() {
    assertThat(withRecorder("audit").with("s3", "prefix = /").findings()).hasSize(1);
  }

  @Test
  void aFaultInS3IsReportedEvenIfNoRecorderInheritsIt() {
    TestIni ini =
        TestIni.minimal(folder).with("s3", "prefix = /").with("recorder:orders", "prefix = mine");

    assertThat(ini.findings()).hasSize(1);
  }

  @Test
  void aSharedLockIdIsReportedOnTheLaterLineAndNamesTheEarlier() {
    TestIni ini = TestIni.minimal(folder).with("recorder:audit", "primary = false", "lockid=1");

    ini.says(
        "lockid=1",
        "error: lockid = 1 again, first in [recorder:orders] on line %d; help: give each recorder a lockid of its own, the same on all hosts"
            .formatted(ini.line("lockid = 1")));
  }

  @ParameterizedTest
  @CsvSource({
    "log, orders_xid_id",
    "log, orders_id_seq",
    "requests, orders_pkey",
    "requests, orders_id_seq",
  })
  void aRecorderCalledLikeARelationOfAnotherIsAnErrorThatNamesBoth(String kind, String name) {
    TestIni ini =
        TestIni.minimal(folder)
            .with("recorder:" + name, "lockid = 2", "primary = true")
            .without("recorder:orders")
            .with("recorder:orders", "lockid = 1", "kind = " + kind)
            .with("recorder:orders", kind.equals("log") ? "primary = true" : "workers = 1");

    ini.says(
        "[recorder:" + name + "]",
        "error: recorder %s has the name of an index or a sequence of recorder orders, of line %d; help: give one of them another name"
            .formatted(name, ini.line("[recorder:orders]")));
  }

  @Test
  void aNameThatIsOnlyLikeThatIsFine() {
    TestIni ini =
        TestIni.minimal(folder)
            .with("recorder:orders_pkey", "lockid = 2", "primary = true")
            .with("recorder:orders_new", "lockid = 3", "primary = true");

    assertThat(ini.findings()).isEmpty();
  }

  @Test
  void theSchemaPublicIsAWarningForHandedRows() {
    String line = "handoff_schema = public";

    TestIni.minimal(folder)
        .with("postgredb", line)
        .saysFirst(line, "warning: handoff_schema = public is everybody's schema");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"s3|prefix = ", "s3|endpoint = http://", "machine|name = ", "redis|user = "})
  void aValueOfManyCharactersIsRefusedBeforeAnythingElseLooksAtIt(String place) {
    String[] parts = place.split("\\|");
    TestIni ini = TestIni.minimal(folder).with(parts[0], parts[1] + "a/".repeat(20_000) + "a");

    assertThat(ini.findings())
        .anyMatch(said -> said.contains("longer than 4096 characters"))
        .allMatch(said -> said.length() < 500);
  }

  @Test
  void moreSectionsThanLockidsAreRefusedAtOnce() {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 2_000; i++) {
      text.append("[recorder:r%d]\n".formatted(i));
    }

    assertThat(TestIni.findings(folder, text.toString()))
        .containsExactly("1007: error: more than 1006 sections; help: leave out what is none");
  }

  @Test
  void aFileThatIsSomethingElseIsNotReportedLineByLineToItsEnd() {
    var findings = TestIni.findings(folder, "lorem ipsum\n".repeat(5_000));

    assertThat(findings).hasSize(101);
    assertThat(findings.get(100)).startsWith("99: error: from here on 4902 more");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0085", "\u009b31m", "\u202e", "\u0000", "\u001b[2J", "\r"})
  void aCharacterThatATerminalWouldActOnIsRefusedAndNotPrinted(String character) {
    TestIni ini = TestIni.minimal(folder).with("machine", "na" + character + "me = x");

    assertThat(ini.findings())
        .contains("3: error: the line holds a control character; help: write it as plain text")
        .noneMatch(said -> said.contains(character));
  }

  @ParameterizedTest
  @CsvSource({
    "postgres, did you mean [postgredb]?",
    "postgresql, did you mean [postgredb]?",
    "S3, did you mean [s3]?",
    "timings, did you mean [timing]?",
    "recorder, did you mean [recorder:NAME]?",
    "recorders:orders, did you mean [recorder:orders]?",
    "recorder orders, did you mean [recorder:orders]?",
    "recorder.orders, did you mean [recorder:orders]?",
  })
  void anUnknownSectionIsReportedWithWhatWasMeant(String section, String help) {
    TestIni ini = TestIni.minimal(folder).with(section, "any = thing");

    ini.says("[" + section + "]", "error: unknown section [%s]; help: %s".formatted(section, help));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Orders", "1a", "a-b", "_a", "a.b", "a b"})
  void aRecordersNameMustSuitATableAndAFolder(String name) {
    assertThat(withRecorder(name).findings())
        .hasSize(1)
        .allMatch(said -> said.contains("'" + name + "' is not a recorder name"));
  }

  @Test
  void aRecordersNameHasAtMostFortyCharacters() {
    assertThat(withRecorder("a".repeat(40)).findings()).isEmpty();
    assertThat(withRecorder("a".repeat(41)).findings()).hasSize(1);
  }

  // Columns: what is added to the recorder, where it is shown, what is said.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          source = timer  | [recorder:orders] | error: [recorder:orders] has no interval; help: write interval = a duration from 10ms to 24h, such as 1s
          kind = requests | primary = true    | error: primary means nothing with kind = requests, which every host works on; help: leave the key out
          interval = 1s   | interval = 1s     | warning: interval has no effect without source = timer; help: leave the key out
          """)
  void aKeyThatDoesNotFitTheOthersIsSaid(String added, String shownAt, String said) {
    TestIni.minimal(folder).with("recorder:orders", added).says(shownAt, said);
  }

  @Test
  void settledRequestsStayForAWhile() {
    assertThat(TestIni.withRequests(folder, "history = 0").findings())
        .singleElement()
        .asString()
        .contains("history = 0 is not for kind = requests");
  }

  @Test
  void historyHasAnEffectOnRequests() {
    assertThat(TestIni.withRequests(folder, "history = 7d").findings()).isEmpty();
  }

  @Test
  void aQueryBesideAHandlerIsAnError() {
    TestIni.minimal(folder)
        .with("recorder:jobs", "lockid = 2", "kind = requests", "handler = x")
        .with("recorder:jobs", "query = SELECT :entity")
        .says(
            "query = SELECT :entity",
            "error: query, and handler = x: only the built-in handler runs a query; help: leave one"
                + " of the two out");
  }

  @Test
  void aKindThatIsNoneIsNotTakenForALog() {
    TestIni.minimal(folder)
        .with("recorder:jobs", "lockid = 2", "kind = request", "workers = 9")
        .says(
            "kind = request",
            "error: kind = request is not one of log, requests; help: write one of log, requests");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "workers = 2",
        "handler = x",
        "handler = exec:/nonexistent",
        "handler_timeout = 2s",
        "max_attempts = 2",
        "query = SELECT :entity"
      })
  void aKeyOfRequestsIsAWarningInALog(String line) {
    TestIni.minimal(folder)
        .with("recorder:orders", line)
        .says(
            line, "warning: " + key(line) + " has no effect without kind = requests;" + LEAVE_OUT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "failback = manual",
        "source = handoff",
        "source = timer",
        "interval = 1s",
        "linger = 1s",
        "rotate_rows = 1",
        "rotate_bytes = 1KiB",
        "compression = none",
        "compression = zstd",
        "history_block = 1MiB"
      })
  void aKeyOfALogIsAWarningInRequests(String line) {
    TestIni.withRequests(folder, line)
        .says(line, "warning: " + key(line) + " has no effect with kind = requests;" + LEAVE_OUT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"table_interval = 2m", "table_columns = a:$.a int"})
  void aKeyOfATableIsAWarningWithoutOne(String line) {
    TestIni.minimal(folder)
        .with("recorder:orders", line)
        .says(line, "warning: " + key(line) + " has no effect without table = delta;" + LEAVE_OUT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"7d", "10m", "forever"})
  void theSizeOfABlockMeansNothingWhereRowsAreKeptForLonger(String history) {
    String line = "history_block = 1MiB";
    TestIni.minimal(folder)
        .with("recorder:orders", "history = " + history, line)
        .says(
            line,
            "warning: history_block has no effect with history = " + history + ";" + LEAVE_OUT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "9m", "1s"})
  void theSizeOfABlockIsNotWarnedOfWhereItMatters(String history) {
    assertThat(
            TestIni.minimal(folder)
                .with("recorder:orders", "history = " + history, "history_block = 64GiB")
                .findings())
        .noneMatch(finding -> finding.contains("history_block"));
  }

  @Test
  void aKeyWithoutEffectIsCheckedAllTheSame() {
    assertThat(TestIni.withRequests(folder, "linger = soon").findings())
        .hasSize(2)
        .anyMatch(said -> said.contains(": error: linger = soon is not a duration"));
  }

  @Test
  void aProgramThatIsNotThereIsAWarningSinceItMayComeLater() {
    String line = "handler = exec:/bin/sh -c true";

    TestIni.withRequests(folder, line)
        .says(
            line,
            "warning: handler: /bin/sh -c true is no program that can be run on this host;"
                + " help: install it, executable for the user that runs the recorder; the value is"
                + " a path and nothing else, so arguments go into a script");
  }

  @Test
  void neitherAFolderNorAPlainFileIsAProgram() {
    Path plain = TestIni.write(folder.resolve("plain"), "", "rw-------");

    for (Path path : new Path[] {folder, plain}) {
      assertThat(TestIni.withRequests(folder, "handler = exec:" + path).findings())
          .hasSize(1)
          .allMatch(said -> said.contains(path + " is no program that can be run"));
    }
  }

  private static String key(String line) {
    return line.substring(0, line.indexOf(" ="));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pasword = hunter2",
        "password = \"hunter2",
        "password = hunter2 ;hunter2",
        "password: hunter2",
        "password = \"x\" hunter2",
        "hunter2=",
        "hunter2==",
        "hunter2 = =",
        "Zahunter2/+x=y",
        "password: hunter2=x",
        "password: hunter2=\"x",
        "password: hunter2=x\npassword: hunter2=x",
        "[postgres://recorder:hunter2@db]",
        "[recorder:postgres://recorder:hunter2@db]"
      })
  void aPasswordIsNeverPartOfAFinding(String line) {
    assertThat(TestIni.minimal(folder).with("postgredb", line).findings())
        .isNotEmpty()
        .noneMatch(said -> said.contains("hunter2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "postgredb | endpoint = postgres://recorder:hunter2@db:5432/app",
        "postgredb | endpoint = jdbc:postgresql://db/app?user=recorder&password=hunter2",
        "postgredb | endpoint = host=db password=hunter2",
        "postgredb | port = recorder:hunter2@db",
        "postgredb | sslmode = postgres://recorder:hunter2@db",
        "postgredb | database = postgres://recorder:hunter2@db:5432/app",
        "postgredb | user = postgres://recorder:hunter2@db",
        "postgredb | schema = postgres://recorder:hunter2@db",
        "redis | endpoint = redis://:hunter2@cache:6379",
        "redis | user = redis://:hunter2@cache",
        "s3 | endpoint = https://s3.example?token=hunter2",
        "s3 | bucket = https://me:hunter2@s3.example/bucket",
        "timing | lease = redis://:hunter2@cache",
        "http | listen = http://me:hunter2@here:9747",
      })
  void anAddressWithAPasswordIsRefusedAndNotRepeated(String section, String line) {
    TestIni ini = TestIni.minimal(folder).set(section, line);

    assertThat(ini.findings())
        .noneMatch(said -> said.contains("hunter2"))
        .anyMatch(
            said -> said.startsWith(ini.line(line) + ": error: " + line.split(" ")[0] + " = ***"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo = 1", "AWS_SECRET_ACCESS_KEY = abc", "s3_timeout = 1s"})
  void anUnknownKeyIsNamedIfItLooksLikeOne(String line) {
    String key = line.substring(0, line.indexOf(' '));
    assertThat(TestIni.minimal(folder).with("postgredb", line).findings())
        .singleElement()
        .asString()
        .contains("unknown key " + key + " in [postgredb]");
  }

  @Test
  void ofAnUnknownKeyThatIsNotRepeatedTheLineIsNamed() {
    TestIni ini = TestIni.minimal(folder).with("postgredb", "c2VjcmV0==");

    assertThat(ini.findings())
        .singleElement()
        .asString()
        .startsWith(ini.line("c2VjcmV0==") + ": error: unknown key *** in [postgredb]; help: the")
        .contains(" keys here are database, endpoint, ");
  }

  /** Whatever stands in the file, the answer is a configuration or findings, never a crash. */
  @Test
  void aMangledFileGivesFindingsAndNothingElse() {
    String sample = TestIni.minimal(folder).with("timing", "lease = 1s", "watch = 5ms").text();
    String pieces = "[]=\"';#\\${}:.() \t\n\u0000\u00e9a0-";
    Random random = new Random(42);
    for (int round = 0; round < 2_000; round++) {
      StringBuilder text = new StringBuilder(sample);
      for (int edit = 0; edit <= round % 8; edit++) {
        int at = random.nextInt(text.length());
        char piece = pieces.charAt(random.nextInt(pieces.length()));
        text.replace(at, at + random.nextInt(2), String.valueOf(piece));
      }
      assertThatNoException().isThrownBy(() -> TestIni.findings(folder, text.toString()));
    }
  }

  private TestIni withRecorder(String name) {
    return TestIni.minimal(folder).with("recorder:" + name, "lockid = 2", "primary = false");
  }
}
