package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.slotlog.LogLayout;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A prefix leaves room for what comes behind it in a key. */
class PrefixTest {
  private static final int LONGEST_KEY = 1024;
  private static final int LONGEST_PREFIX = 512;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {LONGEST_PREFIX + 1, 2_000})
  void oneThatLeavesNoRoomIsAnErrorOnItsLine(int length) {
    String line = "prefix = " + folders(length);
    TestIni ini = TestIni.minimal(folder).with("s3", line);

    assertThat(ini.findings())
        .hasSize(1)
        .first()
        .asString()
        .startsWith(ini.line(line) + ": error: prefix = a/a/")
        .contains("has " + length + " characters", "of at most 512 characters");
  }

  @Test
  void oneOfManyKilobytesIsAnErrorOnItsLineAndNoStackOverflow() {
    String line = "prefix = " + folders(40_000);
    TestIni.minimal(folder).with("s3", line).saysFirst(line, "error");
  }

  @Test
  void theLongestNamesBehindTheLongestPrefixMakeKeysThatS3Takes() {
    String name = "r".repeat(40);
    TestIni ini =
        TestIni.minimal(folder)
            .without("recorder:orders")
            .with("recorder:" + name, "lockid = 1", "primary = true")
            .with("s3", "prefix = " + folders(LONGEST_PREFIX - 1) + "b");

    LogLayout layout = ConfiguredMachine.layout(ini.load().recorders().get(0));

    assertThat(layout.slotKey(Long.MAX_VALUE).length()).isLessThanOrEqualTo(LONGEST_KEY);
    assertThat((layout.folder() + "_store_test/" + UUID.randomUUID() + "-absent").length())
        .isLessThanOrEqualTo(LONGEST_KEY);
    assertThat((layout.folder() + "%C3%A4%20".repeat(51) + "%20%20.json").length())
        .as("an entity's id of 155 bytes")
        .isLessThanOrEqualTo(LONGEST_KEY);
  }

  private static String folders(int length) {
    return "a/".repeat(length / 2 + 1).substring(0, length - 1) + "a";
  }
}
