package dev.recorder.app.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.host.MachineConfig;
import dev.recorder.app.config.host.TimingConfig;
import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.History;
import dev.recorder.app.config.value.LingerSetting;
import dev.recorder.app.config.value.Secret;
import dev.recorder.app.config.value.SslMode;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.TableName;
import dev.recorder.machine.settings.ElectionKind;
import dev.recorder.s3.ObjectAttributes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key: what it is when it is left out, and where it goes when it is written. */
class SettingsTest {
  @TempDir private Path folder;

  @Test
  void theSmallestFileHasDefaultsForTheRest() {
    RecorderConfig config = TestIni.minimal(folder).without("machine").load();

    // Their values are in EffectiveConfigTest.
    assertThat(config.machine().name()).isEqualTo("here");
    assertThat(config.database().password()).isNull();
    assertThat(config.recorders()).extracting(RecorderSection::name).containsExactly("orders");
    assertThat(config.sourceFile()).isEqualTo(folder.resolve("recorder.ini"));
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  void everyKeyIsReadAsItIsWritten() {
    TestIni.write(folder.resolve("ca.pem"), "x", "rw-r--r--");
    TestIni.write(folder.resolve("pw"), " s;cret \nsecond line\n", "rw-------");
    RecorderConfig config = explicit().load();

    assertThat(TestIni.inEffect(config, "machine"))
        .containsExactly(
            "name = i-0123456789abcdef0", "task_timeouts = 30s", "waiting_limit = 5m", "hosts = 3");
    assertThat(TestIni.inEffect(config, "postgredb"))
        .containsExactly(
            "endpoint = 10.0.0.1",
            "port = 6543",
            "database = App DB",
            "user = writer",
            "known_as = prod-db",
            "password = ***",
            "sslmode = verify-full",
            "sslrootcert = " + folder.resolve("ca.pem"),
            "schema = rec",
            "handoff_schema = hand_off");
    assertThat(config.database().password()).isEqualTo(new Secret(" s;cret "));
    assertThat(TestIni.inEffect(config, "timing"))
        .containsExactly(
            "heartbeat = 400ms",
            "lease = 1600ms",
            "takeover_after = 2500ms",
            "watch = 60ms",
            "network_timeout = 900ms",
            "s3_attempt_timeout = 20s",
            "failback_after = 1m",
            "stuck_after = 20s");
  }

  @Test
  void everyKeyOfALogIsReadAsItIsWrittenAndThoseOfRequestsAreLeftOut() {
    RecorderConfig config = withFiles(explicit());

    assertThat(TestIni.inEffect(config, "recorder:orders"))
        .containsExactly(
            "lockid = 998",
            "kind = log",
            "election = advisory",
            "primary = false",
            "failback = manual",
            "source = timer",
            "interval = 250ms",
            "capture = public.account",
            "linger = 300ms",
            "rotate_rows = 7",
            "rotate_bytes = 2MiB",
            "max_payload = 3MiB",
            "compression = none",
            "history = 7d",
            "verify_every = 2d",
            "table = delta",
            "table_interval = 2m",
            "table_bytes = 4MiB",
            "table_columns = amount:$.amount decimal(18,2), at:$.at timestamp",
            "table_partition = none",
            "region = eu-west-1",
            "bucket = other-bucket",
            "prefix = a/b",
            "endpoint = http://127.0.0.1:9000",
            "path_style = false",
            "checksums = when_required",
            "log_level = debug");
    RecorderSection orders = config.recorder("orders").orElseThrow();
    assertThat(orders.captures())
        .extracting(CaptureSection::table, CaptureSection::options)
        .containsExactly(tuple(new TableName("public", "account"), CaptureOptions.USUAL));
    assertThat(orders.program()).isNull();
  }

  @Test
  void everyKeyOfRedisIsReadAsItIsWritten() {
    RecorderConfig config =
        TestIni.minimal(folder)
            .without("recorder:orders")
            .with("recorder:orders", "lockid = 1", "election = redis")
            .with("redis", "endpoint = keys.example", "port = 6380", "user = rec", "tls = true")
            .with("redis", "password = hunter2", "expiry = 9s", "prefix = test/")
            .load();

    assertThat(TestIni.inEffect(config, "redis"))
        .containsExactly(
            "endpoint = keys.example",
            "port = 6380",
            "user = rec",
            "password = ***",
            "tls = true",
            "prefix = test/",
            "expiry = 9s");
    assertThat(requireNonNull(config.redis()).orNull(RedisConfig.PASSWORD))
        .isEqualTo(new Secret("hunter2"));
    assertThat(TestIni.inEffect(config, "recorder:orders"))
        .contains("election = redis")
        .noneMatch(line -> line.startsWith("primary") || line.startsWith("failback"));
  }

  @Test
  void redisHasDefaultsAndIsNotNeededWithoutAnElectionByIt() {
    assertThat(TestIni.minimal(folder).load().redis()).isNull();
    assertThat(
            TestIni.inEffect(
                TestIni.minimal(folder).with("redis", "endpoint = keys").load(), "redis"))
        .containsExactly(
            "endpoint = keys", "port = 6379", "tls = false", "prefix = recorder:", "expiry = 15s");
  }

  @Test
  void everyKeyOfRequestsIsReadAsItIsWritten() {
    RecorderConfig config =
        TestIni.withRequests(folder, "workers = 64", "handler = exec:/bin/sh", "history = 30d")
            .with("recorder:jobs", "handler_timeout = 1h", "max_attempts = 1000")
            .with("recorder:jobs", "max_payload = 1MiB", "bucket = other-bucket")
            .load();

    assertThat(config.warnings()).isEmpty();
    assertThat(TestIni.inEffect(config, "recorder:jobs"))
        .containsExactly(
            "lockid = 2",
            "kind = requests",
            "workers = 64",
            "handler = exec:/bin/sh",
            "handler_timeout = 1h",
            "max_attempts = 1000",
            "max_payload = 1MiB",
            "history = 30d",
            "region = eu-central-1",
            "bucket = other-bucket",
            "prefix = \"\"",
            "path_style = false",
            "checksums = when_supported");
  }

  /** Whatever is asked of it without knowing its kind. */
  @Test
  void aKeyOfTheOtherKindIsItsDefault() {
    RecorderSection jobs = jobs("linger = 7s");

    assertThat(jobs.get(RecorderSectionKeys.LINGER))
        .isEqualTo(new LingerSetting(Duration.ofSeconds(1)));
    assertThat(jobs.get(RecorderSectionKeys.ELECTION)).isEqualTo(ElectionKind.ADVISORY);
    assertThat(jobs.get(RecorderSectionKeys.HISTORY)).isEqualTo(History.FOREVER);
    assertThat(jobs.primary()).isFalse();
  }

  @Test
  void aHandlerIsBuiltInAProviderOrAProgram() {
    assertThat(jobs("# none").orNull(RecorderSectionKeys.HANDLER)).isNull();
    assertThat(jobs("# none").program()).isNull();
    assertThat(jobs("handler = audit-trail").orNull(RecorderSectionKeys.HANDLER))
        .isEqualTo("audit-trail");
    assertThat(jobs("handler = audit-trail").program()).isNull();
    assertThat(jobs("handler = exec:/opt/a b/run").program()).isEqualTo(Path.of("/opt/a b/run"));
  }

  @Test
  void aQueryIsTakenAsItStands() {
    String query = "SELECT '{a;b}'::jsonb FROM public.orders WHERE id = :entity::bigint";

    assertThat(jobs("query = " + query).orNull(RecorderSectionKeys.QUERY)).isEqualTo(query);
    assertThat(jobs("# none").orNull(RecorderSectionKeys.QUERY)).isNull();
  }

  private RecorderSection jobs(String line) {
    return TestIni.withRequests(folder, line).load().recorder("jobs").orElseThrow();
  }

  @Test
  void aRecorderInheritsFromS3WhatItDoesNotSetAgain() {
    TestIni ini =
        TestIni.minimal(folder)
            .with("s3", "prefix = all", "checksums = when_required")
            .with("recorder:orders", "bucket = mine")
            .with("recorder:audit", "lockid = 2", "primary = false", "prefix =");

    RecorderConfig config = ini.load();

    assertThat(TestIni.inEffect(config, "recorder:orders"))
        .endsWith(
            "region = eu-central-1",
            "bucket = mine",
            "prefix = all",
            "path_style = false",
            "checksums = when_required");
    assertThat(TestIni.inEffect(config, "recorder:audit"))
        .endsWith(
            "region = eu-central-1",
            "bucket = bucket",
            "prefix = \"\"",
            "path_style = false",
            "checksums = when_required");
  }

  @Test
  void whatEachObjectIsGivenIsReadAsItIsWrittenAndInherited() {
    RecorderConfig config = attributed().load();

    assertThat(TestIni.inEffect(config, "recorder:orders"))
        .endsWith(
            "checksums = when_supported",
            "dualstack = true",
            "fips = true",
            "role_arn = arn:aws:iam::123456789012:role/r",
            "external_id = e1",
            "sse = aws:kms",
            "kms_key_id = alias/k",
            "storage_class = GLACIER_IR",
            "tags = e=f",
            "object_lock = governance",
            "retain = 400d");
    assertThat(s3(config, "orders").attributes())
        .isEqualTo(
            new ObjectAttributes(
                new ObjectAttributes.Encryption("aws:kms", "alias/k"),
                "GLACIER_IR",
                Map.of("e", "f"),
                new ObjectAttributes.ObjectLock(
                    ObjectAttributes.LockMode.GOVERNANCE, Duration.ofDays(400))));
  }

  @Test
  void s3MayStandInTheRecordersAlone() {
    TestIni ini =
        TestIni.minimal(folder)
            .without("s3")
            .with("recorder:orders", "bucket = mine", "region = eu-west-1");

    assertThat(s3(ini.load(), "orders").get(S3Config.BUCKET)).isEqualTo("mine");
  }

  @Test
  void anEndpointOfOnesOwnNeedsNoRegionAndUsesPathsUnlessToldOtherwise() {
    TestIni ini =
        TestIni.minimal(folder)
            .without("s3", "region = eu-central-1")
            .with("s3", "endpoint = http://127.0.0.1:9000");

    assertThat(s3(ini.load(), "orders").get(S3Config.REGION)).isEqualTo("us-east-1");
    assertThat(s3(ini.load(), "orders").get(S3Config.PATH_STYLE)).isTrue();
    assertThat(s3(ini.with("s3", "path_style = false").load(), "orders").get(S3Config.PATH_STYLE))
        .isFalse();
  }

  @Test
  void theOtherNamesOfSectionAndKeyAreAccepted() {
    TestIni ini =
        TestIni.minimal(folder)
            .without("postgredb")
            .with("postgresdb", "host = db2", "database = app", "user = rec");

    assertThat(ini.load().database().get(DatabaseConfig.ENDPOINT)).isEqualTo("db2");
  }

  @Test
  void everyWordOfEveryChoiceIsReadAsItself() {
    assertThat(SslMode.values())
        .extracting(SslMode::toString)
        .containsExactly("disable", "allow", "prefer", "require", "verify-ca", "verify-full");
    for (SslMode mode : SslMode.values()) {
      TestIni ini = TestIni.minimal(folder).with("postgredb", "sslmode = " + mode);
      assertThat(ini.load().database().get(DatabaseConfig.SSLMODE)).isEqualTo(mode);
    }
  }

  /** So that a new key cannot be forgotten above. */
  @Test
  void theFilesAboveSetEveryKeyThereIs() {
    Set<String> written = new TreeSet<>();
    Stream.of(explicit(), attributed())
        .flatMap(file -> file.text().lines())
        .forEach(line -> written.add(line.replaceFirst(" =.*", "")));
    Set<String> known = new TreeSet<>();
    Stream.of(
            MachineConfig.TABLE,
            DatabaseConfig.TABLE,
            TimingConfig.TABLE,
            RecorderSectionKeys.TABLE)
        .flatMap(table -> table.all().stream())
        .filter(setting -> !setting.equals(RecorderSectionKeys.ELECTION))
        .forEach(setting -> known.add(setting.key()));
    // Beside password_file they would be errors; PasswordTest has them.
    known.removeAll(
        Set.of(
            DatabaseConfig.PASSWORD.key(),
            DatabaseConfig.SECRET.key(),
            DatabaseConfig.SECRET_ENDPOINT.key()));

    assertThat(known).hasSizeGreaterThan(35);
    assertThat(written).containsAll(known);
  }

  /**
   * Keys that {@link #explicit} cannot have: its endpoint is not AWS's, its bucket has no locks.
   */
  private TestIni attributed() {
    return TestIni.minimal(folder)
        .with("s3", "sse = aws:kms", "kms_key_id = alias/k", "tags = a=b, c = d")
        .with("s3", "dualstack = true", "fips = true", "external_id = e1")
        .with("s3", "role_arn = arn:aws:iam::123456789012:role/r")
        .with("recorder:orders", "storage_class = GLACIER_IR", "object_lock = governance")
        .with("recorder:orders", "retain = 400d", "tags = e=f");
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
        .with("recorder:orders", "table = delta", "table_interval = 2m", "table_bytes = 4MiB")
        .with("recorder:orders", "table_partition = none")
        .with("recorder:orders", "table_columns = amount:$.amount decimal(18, 2),at:$.at timestamp")
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
}
