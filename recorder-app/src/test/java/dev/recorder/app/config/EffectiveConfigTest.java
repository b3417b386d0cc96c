package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EffectiveConfigTest {
  @TempDir private Path folder;

  @Test
  void itShowsEverySettingAndMasksThePassword() {
    RecorderConfig config =
        TestIni.minimal(folder).with("postgredb", "password = \"hunter2 ;\"").load();

    assertThat(config.effective())
        .isEqualTo(
            """
            [machine]
            name = a
            waiting_limit = 1m
            hosts = 2
            [postgredb]
            endpoint = db
            port = 5432
            database = app
            user = rec
            password = ***
            sslmode = prefer
            schema = recorder
            handoff_schema = handoff
            [timing]
            heartbeat = 500ms
            lease = 1500ms
            takeover_after = 2s
            watch = 50ms
            network_timeout = 1s
            s3_attempt_timeout = 30s
            failback_after = 10s
            stuck_after = 10s
            [log]
            format = text
            level = info
            [recorder:orders]
            lockid = 1
            kind = log
            election = advisory
            primary = true
            failback = auto
            source = handoff
            linger = 1s
            rotate_rows = 50000
            rotate_bytes = 8MiB
            max_payload = 16MiB
            compression = gzip
            history = 7d
            region = eu-central-1
            bucket = bucket
            prefix = ""
            path_style = false
            checksums = when_supported
            """);
    assertThat(config.toString()).doesNotContain("hunter2");
  }

  @Test
  void ofRequestsItShowsWhatHasAnEffectThere() {
    RecorderConfig config =
        TestIni.minimal(folder)
            .without("recorder:orders")
            .with("recorder:jobs", "lockid = 2", "kind = requests", "linger = 3s", "history = 48h")
            .with("recorder:jobs", "handler = \"exec:/opt/jobs/apply ;\"", "handler_timeout = 90s")
            .with("recorder:jobs", "failback = manual", "source = timer", "compression = none")
            .load();

    assertThat(config.effective())
        .endsWith(
            """
            [recorder:jobs]
            lockid = 2
            kind = requests
            workers = 4
            handler = "exec:/opt/jobs/apply ;"
            handler_timeout = 90s
            max_attempts = 20
            max_payload = 16MiB
            history = 2d
            region = eu-central-1
            bucket = bucket
            prefix = ""
            path_style = false
            checksums = when_supported
            """);
  }

  @Test
  void itShowsTheSizeOfABlockWhereItHasAnEffect() {
    TestIni ini = TestIni.minimal(folder).with("recorder:orders", "history = 0");

    assertThat(ini.load().effective()).contains("history = 0\nhistory_block = 64MiB\n");
    assertThat(ini.with("recorder:orders", "history_block = 1MiB").load().effective())
        .contains("history = 0\nhistory_block = 1MiB\n");
  }

  @Test
  void itReadsBackAsTheSameConfiguration() throws Exception {
    RecorderConfig config =
        TestIni.minimal(folder)
            .with("postgredb", "password = x")
            .with("recorder:t", "lockid = 2", "primary = false", "source = timer", "interval = 1s")
            .with("recorder:t", "history = 48h", "endpoint = http://localhost:9000")
            .with("recorder:jobs", "lockid = 3", "kind = requests", "handler = exec:/bin/a b")
            .load();

    Path again = TestIni.write(folder, config.effective());

    RecorderConfig reread = ConfigFile.load(again, TestIni.HERE);
    assertThat(reread.effective()).isEqualTo(config.effective());
    assertThat(reread.configHash()).isEqualTo(config.configHash());
  }

  @Test
  void keysThatAreSetHaveAShortHashOfTheirOwnButSecretsHaveNone() {
    TestIni ini = TestIni.minimal(folder).with("postgredb", "password = x");
    String database = ini.load().sectionHashes().get("postgredb");

    assertThat(database).matches("[0-9a-f]{16}( [a-z_]+=[0-9a-f]{4})+").doesNotContain("password");
    assertThat(ini.with("timing", "lease = 1400ms").load().sectionHashes().get("timing"))
        .matches("[0-9a-f]{16} lease=[0-9a-f]{4}");
  }

  @Test
  void theHashLeavesOutWhatMayDifferBetweenMachines() {
    String hash = TestIni.minimal(folder).load().configHash();

    assertThat(hash).matches("[0-9a-f]{16}");
    assertThat(
            TestIni.minimal(folder)
                .set("machine", "name = b")
                .set("recorder:orders", "primary = false")
                .with("postgredb", "password = x")
                .with("timing", "heartbeat = 500ms", "lease=\"1500ms\"")
                .load()
                .configHash())
        .isEqualTo(hash);
  }

  @Test
  void whetherRedisAsksForAPasswordIsNotPartOfTheHash() {
    TestIni ini = TestIni.minimal(folder).with("redis", "endpoint = keys");
    String hash = ini.load().configHash();

    assertThat(ini.with("redis", "password = x").load().configHash()).isEqualTo(hash);
  }

  @Test
  void theHashDoesNotDependOnTheOrderOfSections() {
    TestIni one = TestIni.minimal(folder).with("recorder:b", "lockid = 2", "primary = false");
    TestIni other =
        TestIni.minimal(folder)
            .without("recorder:orders")
            .with("recorder:b", "lockid = 2", "primary = false")
            .with("recorder:orders", "lockid = 1", "primary = true");

    assertThat(one.load().configHash()).isEqualTo(other.load().configHash());
  }

  @ParameterizedTest
  @CsvSource({
    "postgredb, port = 1",
    "postgredb, sslmode = require",
    "postgredb, handoff_schema = h",
    "s3, prefix = p",
    "s3, checksums = when_required",
    "timing, watch = 40ms",
    "recorder:orders, linger = 2s",
    "recorder:orders, linger = auto",
    "recorder:orders, failback = manual",
    "recorder:orders, history = 8d",
    "recorder:jobs, workers = 5",
    "recorder:jobs, handler = h",
    "recorder:jobs, handler_timeout = 61s",
    "recorder:jobs, query = SELECT :entity",
    "recorder:jobs, max_attempts = 21",
    "recorder:jobs, max_payload = 1MiB",
    "recorder:jobs, history = 7d",
  })
  void theHashChangesWithEverythingElse(String section, String line) {
    assertThat(withRequests().with(section, line).load().configHash())
        .isNotEqualTo(withRequests().load().configHash());
  }

  @ParameterizedTest
  @CsvSource({
    "recorder:orders, workers = 5",
    "recorder:orders, max_attempts = 21",
    "recorder:jobs, linger = 2s",
    "recorder:jobs, failback = manual",
  })
  void theHashDoesNotChangeWithWhatHasNoEffect(String section, String line) {
    assertThat(withRequests().with(section, line).load().configHash())
        .isEqualTo(withRequests().load().configHash());
  }

  private TestIni withRequests() {
    return TestIni.withRequests(folder);
  }
}
