package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.TableName;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key: what it is when it is left out, and where it goes when it is written. */
class SettingsTest {
  @TempDir private Path folder;

  @Test
  void theSmallestFileHasTheseDefaults() {
    RecorderConfig config = TestIni.minimal(folder).without("machine").load();

    assertThat(config.machine())
        .isEqualTo(new MachineConfig("here", null, Duration.ofMinutes(1), 2));
    assertThat(config.database())
        .isEqualTo(
            new DatabaseConfig(
                "db", 5432, "app", "rec", null, null, SslMode.PREFER, null, "recorder", "handoff"));
    assertThat(config.timing())
        .isEqualTo(timing(500, 1500, 2000, 50, 1000, 30_000, 10_000, 10_000));
    assertThat(config.recorders()).containsExactly(defaultRecorder());
    assertThat(config.sourceFile()).isEqualTo(folder.resolve("recorder.ini"));
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  void everyKeyOfTheDatabaseIsMapped() {
    TestIni.write(folder.resolve("ca.pem"), "x", "rw-r--r--");
    TestIni.write(folder.resolve("pw"), " s;cret \nsecond line\n", "rw-------");
    RecorderConfig config = explicit().load();

    assertThat(config.machine())
        .isEqualTo(
            new MachineConfig(
                "i-0123456789abcdef0", Duration.ofSeconds(30), Duration.ofMinutes(5), 3));
    assertThat(config.database())
        .isEqualTo(
            new DatabaseConfig(
                "10.0.0.1",
                6543,
                "App DB",
                "writer",
                "prod-db",
                new Secret(" s;cret "),
                SslMode.VERIFY_FULL,
                folder.resolve("ca.pem"),
                "rec",
                "hand_off"));
  }

  @Test
  void everyKeyOfTheTimingIsMapped() {
    assertThat(withFiles(explicit()).timing())
        .isEqualTo(timing(400, 1600, 2500, 60, 900, 20_000, 60_000, 20_000));
  }

  @Test
  void everyKeyOfARecorderIsMapped() {
    assertThat(withFiles(explicit()).recorder("orders"))
        .contains(
            new RecorderSection(
                "orders",
                998,
                RecorderKindWord.LOG,
                new Leading(ElectionWord.ADVISORY, false, FailbackWord.MANUAL),
                new Feed(
                    RowSource.TIMER,
                    Duration.ofMillis(250),
                    List.of(
                        new CaptureSection(
                            new TableName("public", "account"), CaptureOptions.USUAL))),
                new Batching(
                    new LingerSetting(Duration.ofMillis(300)),
                    7,
                    ByteSize.parse("2MiB"),
                    ByteSize.parse("3MiB"),
                    CompressionWord.NONE),
                new History(Duration.ofDays(7), ByteSize.parse("3MiB")),
                Duration.ofDays(2),
                new RequestWork(
                    8, "com.example.Handler", Duration.ofSeconds(90), 5, "SELECT :entity"),
                new S3Config(
                    "eu-west-1",
                    "other-bucket",
                    "a/b",
                    URI.create("http://127.0.0.1:9000"),
                    false,
                    ChecksumMode.WHEN_REQUIRED),
                LogLevelWord.DEBUG));
  }

  @Test
  void everyKeyOfRedisIsMapped() {
    RecorderConfig config =
        TestIni.minimal(folder)
            .without("recorder:orders")
            .with("recorder:orders", "lockid = 1", "election = redis")
            .with("redis", "endpoint = keys.example", "port = 6380", "user = rec", "tls = true")
            .with("redis", "password = hunter2", "expiry = 9s", "prefix = test/")
            .load();

    assertThat(config.redis())
        .isEqualTo(
            new RedisConfig(
                "keys.example",
                6380,
                "rec",
                new Secret("hunter2"),
                true,
                "test/",
                Duration.ofSeconds(9)));
    assertThat(config.recorder("orders").orElseThrow().leading())
        .isEqualTo(new Leading(ElectionWord.REDIS, false, FailbackWord.AUTO));
    assertThat(config.effective()).contains("[redis]\nendpoint = keys.example\n", "password = ***");
  }

  @Test
  void redisHasDefaultsAndIsNotNeededWithoutAnElectionByIt() {
    assertThat(TestIni.minimal(folder).load().redis()).isNull();
    assertThat(TestIni.minimal(folder).with("redis", "endpoint = keys").load().redis())
        .isEqualTo(
            new RedisConfig("keys", 6379, null, null, false, "recorder:", Duration.ofSeconds(15)));
  }

  @Test
  void requestsHaveTheirOwnDefaults() {
    assertThat(TestIni.withRequests(folder).load().recorder("jobs"))
        .contains(
            new RecorderSection(
                "jobs",
                2,
                RecorderKindWord.REQUESTS,
                new Leading(ElectionWord.ADVISORY, false, FailbackWord.AUTO),
                new Feed(RowSource.HANDOFF, null),
                defaultRecorder().batching(),
                History.FOREVER,
                null,
                new RequestWork(4, null, Duration.ofSeconds(60), 20),
                defaultRecorder().s3(),
                null));
  }

  @Test
  void everyKeyOfRequestsIsMapped() {
    RecorderConfig config =
        TestIni.withRequests(folder, "workers = 64", "handler = exec:/bin/sh", "history = 30d")
            .with("recorder:jobs", "handler_timeout = 1h", "max_attempts = 1000")
            .with("recorder:jobs", "max_payload = 1MiB", "bucket = other-bucket")
            .load();

    assertThat(config.warnings()).isEmpty();
    RecorderSection jobs = config.recorder("jobs").orElseThrow();
    assertThat(jobs.requests())
        .isEqualTo(new RequestWork(64, "exec:/bin/sh", Duration.ofHours(1), 1000));
    assertThat(jobs.history()).isEqualTo(new History(Duration.ofDays(30)));
    assertThat(jobs.batching().maxPayload()).isEqualTo(ByteSize.parse("1MiB"));
    assertThat(jobs.s3().bucket()).isEqualTo("other-bucket");
  }

  @Test
  void aHandlerIsBuiltInAProviderOrAProgram() {
    assertThat(handler("# none").handler()).isNull();
    assertThat(handler("# none").program()).isNull();
    assertThat(handler("handler = audit-trail").handler()).isEqualTo("audit-trail");
    assertThat(handler("handler = audit-trail").program()).isNull();
    assertThat(handler("handler = exec:/opt/a b/run").program()).isEqualTo(Path.of("/opt/a b/run"));
  }

  @Test
  void aQueryIsTakenAsItStands() {
    String query = "SELECT '{a;b}'::jsonb FROM public.orders WHERE id = :entity::bigint";

    assertThat(handler("query = " + query).query()).isEqualTo(query);
    assertThat(handler("# none").query()).isNull();
  }

  private RequestWork handler(String line) {
    return TestIni.withRequests(folder, line).load().recorder("jobs").orElseThrow().requests();
  }

  @Test
  void aRecorderInheritsFromS3WhatItDoesNotSetAgain() {
    TestIni ini =
        TestIni.minimal(folder)
            .with("s3", "prefix = all", "checksums = when_required")
            .with("recorder:orders", "bucket = mine")
            .with("recorder:audit", "lockid = 2", "primary = false", "prefix =");

    RecorderConfig config = ini.load();

    assertThat(s3(config, "orders"))
        .isEqualTo(
            new S3Config("eu-central-1", "mine", "all", null, false, ChecksumMode.WHEN_REQUIRED));
    assertThat(s3(config, "audit"))
        .isEqualTo(
            new S3Config("eu-central-1", "bucket", "", null, false, ChecksumMode.WHEN_REQUIRED));
  }

  @Test
  void s3MayStandInTheRecordersAlone() {
    TestIni ini =
        TestIni.minimal(folder)
            .without("s3")
            .with("recorder:orders", "bucket = mine", "region = eu-west-1");

    assertThat(s3(ini.load(), "orders").bucket()).isEqualTo("mine");
  }

  @Test
  void anEndpointOfOnesOwnNeedsNoRegionAndUsesPathsUnlessToldOtherwise() {
    TestIni ini =
        TestIni.minimal(folder)
            .without("s3", "region = eu-central-1")
            .with("s3", "endpoint = http://127.0.0.1:9000");

    assertThat(s3(ini.load(), "orders").region()).isEqualTo("us-east-1");
    assertThat(s3(ini.load(), "orders").pathStyle()).isTrue();
    assertThat(s3(ini.with("s3", "path_style = false").load(), "orders").pathStyle()).isFalse();
  }

  @Test
  void theOtherNamesOfSectionAndKeyAreAccepted() {
    TestIni ini =
        TestIni.minimal(folder)
            .without("postgredb")
            .with("postgresdb", "host = db2", "database = app", "user = rec");

    assertThat(ini.load().database().endpoint()).isEqualTo("db2");
  }

  @Test
  void everyWordOfEveryChoiceIsReadAsItself() {
    assertThat(SslMode.values())
        .extracting(SslMode::word)
        .containsExactly("disable", "allow", "prefer", "require", "verify-ca", "verify-full");
    for (SslMode mode : SslMode.values()) {
      TestIni ini = TestIni.minimal(folder).with("postgredb", "sslmode = " + mode.word());
      assertThat(ini.load().database().sslmode()).isEqualTo(mode);
    }
  }

  /** So that a new key cannot be forgotten above. */
  @Test
  void theExplicitFileSetsEveryKeyThereIs() {
    Set<String> written = new TreeSet<>();
    explicit().text().lines().forEach(line -> written.add(line.replaceFirst(" =.*", "")));
    Set<String> known = new TreeSet<>();
    Declarations.in(
            MachineConfig.class,
            DatabaseConfig.class,
            S3Config.class,
            TimingConfig.class,
            RecorderSection.class,
            Feed.class,
            Batching.class,
            RequestWork.class)
        .forEach(setting -> known.add(setting.key()));
    // Beside password_file it would be an error; PasswordTest has it.
    known.remove(DatabaseConfig.PASSWORD.key());

    assertThat(known).hasSizeGreaterThan(35);
    assertThat(written).containsAll(known);
  }

  private RecorderConfig withFiles(TestIni ini) {
    Stream.of("ca.pem", "pw")
        .forEach(name -> TestIni.write(folder.resolve(name), "x", "rw-------"));
    return ini.load();
  }

  private TestIni explicit() {
    return TestIni.minimal(folder)
        .without("machine")
        .with("machine", "name = i-0123456789abcdef0", "task_timeouts = 30s", "waiting_limit = 5m")
        .with("machine", "hosts = 3")
        .without("postgredb")
        .with("postgredb", "endpoint = 10.0.0.1", "port = 6543", "database = App DB")
        .with("postgredb", "user = writer", "known_as = prod-db", "password_file = pw")
        .with(
            "postgredb",
            "sslmode = verify-full",
            "sslrootcert = ca.pem",
            "schema = rec",
            "handoff_schema = hand_off")
        .with("timing", "heartbeat = 400ms", "lease = 1600ms", "takeover_after = 2500ms")
        .with("timing", "watch = 60ms", "network_timeout = 900ms", "s3_attempt_timeout = 20s")
        .with("timing", "failback_after = 1m", "stuck_after = 20s")
        .without("recorder:orders")
        .with("recorder:orders", "lockid = 998", "primary = false", "kind = log")
        .with("recorder:orders", "source = timer", "interval = 250ms", "failback = manual")
        .with("recorder:orders", "linger = 300ms", "rotate_rows = 7", "rotate_bytes = 2MiB")
        .with("recorder:orders", "max_payload = 3MiB", "compression = none", "history = 7d")
        .with("recorder:orders", "verify_every = 2d")
        .with("recorder:orders", "history_block = 3MiB", "capture = account")
        .with("recorder:orders", "workers = 8", "handler = com.example.Handler")
        .with("recorder:orders", "handler_timeout = 90s", "max_attempts = 5")
        .with("recorder:orders", "query = SELECT :entity")
        .with("recorder:orders", "region = eu-west-1", "bucket = other-bucket", "prefix = a/b")
        .with("recorder:orders", "endpoint = http://127.0.0.1:9000", "path_style = false")
        .with("recorder:orders", "checksums = when_required", "log_level = debug")
        .with("log", "format = json", "level = warn");
  }

  private static S3Config s3(RecorderConfig config, String recorder) {
    return config.recorder(recorder).orElseThrow().s3();
  }

  /** In milliseconds, in the order of the page. */
  private static TimingConfig timing(int... millis) {
    Duration[] of = Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    return new TimingConfig(of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7]);
  }

  private static RecorderSection defaultRecorder() {
    return new RecorderSection(
        "orders",
        1,
        RecorderKindWord.LOG,
        new Leading(ElectionWord.ADVISORY, true, FailbackWord.AUTO),
        new Feed(RowSource.HANDOFF, null),
        new Batching(
            new LingerSetting(Duration.ofSeconds(1)),
            50_000,
            ByteSize.parse("8MiB"),
            ByteSize.parse("16MiB"),
            CompressionWord.GZIP),
        new History(Duration.ofDays(7)),
        null,
        new RequestWork(4, null, Duration.ofMinutes(1), 20),
        new S3Config("eu-central-1", "bucket", "", null, false, ChecksumMode.WHEN_SUPPORTED),
        null);
  }
}
