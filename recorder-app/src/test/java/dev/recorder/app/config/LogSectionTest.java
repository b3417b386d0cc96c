package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.LogLevelWord;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section {@code [log]}, and {@code log_level} of a recorder. */
class LogSectionTest {
  @TempDir private Path folder;

  @Test
  void withoutItTheLogIsTextFromInfoOn() {
    RecorderConfig config = TestIni.minimal(folder).load();

    assertThat(TestIni.inEffect(config, "log")).containsExactly("format = text", "level = info");
    assertThat(config.recorder("orders").orElseThrow().orNull(RecorderSectionKeys.LOG_LEVEL))
        .isNull();
  }

  @Test
  void itIsWhatTheFileSays() {
    RecorderConfig config =
        TestIni.minimal(folder)
            .with("log", "format = json", "level = warn")
            .with("recorder:orders", "log_level = debug")
            .load();

    assertThat(TestIni.inEffect(config, "log")).containsExactly("format = json", "level = warn");
    assertThat(config.recorder("orders").orElseThrow().orNull(RecorderSectionKeys.LOG_LEVEL))
        .isEqualTo(LogLevelWord.DEBUG);
    assertThat(config.effective())
        .contains("[log]\nformat = json\nlevel = warn\n", "log_level = debug\n");
  }

  @Test
  void aWrongWordIsNamedWithItsLine() {
    TestIni ini =
        TestIni.minimal(folder)
            .with("log", "format = xml", "level = trace", "levels = info")
            .with("recorder:orders", "log_level = loud");

    assertThat(ini.findings())
        .containsExactlyInAnyOrder(
            ini.line("format = xml")
                + ": error: format = xml is not one of text, json; help: write one of text, json",
            ini.line("level = trace")
                + ": error: level = trace is not one of error, warn, info, debug;"
                + " help: write one of error, warn, info, debug",
            ini.line("levels = info")
                + ": error: unknown key levels in [log]; help: did you mean level?",
            ini.line("log_level = loud")
                + ": error: log_level = loud is not one of error, warn, info, debug;"
                + " help: write one of error, warn, info, debug");
  }

  /** One host alone may be looked at more closely. */
  @Test
  void hostsMayDifferInIt() {
    RecorderConfig one = TestIni.minimal(folder).load();
    RecorderConfig other =
        TestIni.minimal(folder)
            .with("log", "format = json", "level = debug")
            .with("recorder:orders", "log_level = debug")
            .load();

    assertThat(other.configHash()).isEqualTo(one.configHash());
    assertThat(other.sectionHashes()).isEqualTo(one.sectionHashes());
  }
}
