package dev.recorder.app.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.TestIni;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

class LogOutputTest {
  @TempDir private Path folder;
  private LoggedLines lines;
  private LogOutput output;
  private Logger log;

  @BeforeEach
  void logAsTheProductDoes() throws Exception {
    lines = new LoggedLines();
    output = new LogOutput(lines.context());
    log = lines.logger("dev.recorder.machine.SessionReporter");
  }

  @Test
  void aLineOfTextIsAsEver() {
    use();
    try (LogContext context = LogContext.of("host-b", "orders", 8)) {
      log.info(LogEvent.HANDING_OVER, "handing over: {}", "to its primary");
    }

    assertThat(lines.last())
        .matches(
            "\\S+ INFO  \\[host-b orders 8] \\[\\S+] SessionReporter: handing over: to its primary\n");
  }

  @Test
  void theFormatChangesFromOneLineToTheNextAndBack() {
    log.info(LogEvent.STOPPING, "one");
    use("format = json");
    log.info(LogEvent.STOPPING, "two");
    use();
    log.info(LogEvent.STOPPING, "three");

    assertThat(lines.all())
        .extracting(line -> line.startsWith("{"))
        .containsExactly(false, true, false);
  }

  @Test
  void theLevelIsThatOfTheFileAndChangesWithIt() {
    use("level = warn");
    tell(log);
    use("level = debug");
    tell(log);
    use();
    tell(log);

    assertThat(levels()).containsExactly("WARN", "DEBUG", "INFO", "WARN", "INFO", "WARN");
  }

  /** Their DEBUG shows requests with their headers. */
  @Test
  void librariesNeverSayMoreThanUsualAndLessIfAskedTo() {
    Logger sdk = lines.logger("software.amazon.awssdk.request");
    Logger other = lines.logger("org.example");
    use("level = debug");
    tell(sdk);
    tell(other);
    use("level = error");
    tell(sdk);
    tell(other);

    assertThat(levels()).containsExactly("WARN", "INFO", "WARN");
  }

  @Test
  void oneRecorderCanBeWatchedWithoutTheOthers() {
    output.use(withLevel("level = warn", "log_level = debug"));
    try (LogContext context = LogContext.of("a", "orders", 3)) {
      tell(log);
      tell(lines.logger("software.amazon.awssdk.request"));
    }
    try (LogContext context = LogContext.of("a", "audit", 3)) {
      tell(log);
    }
    tell(log);

    assertThat(levels()).containsExactly("DEBUG", "INFO", "WARN", "WARN", "WARN", "WARN");
  }

  @Test
  void oneRecorderCanBeQuieterThanTheOthers() {
    output.use(withLevel("level = info", "log_level = error"));
    try (LogContext context = LogContext.of("a", "orders", 3)) {
      tell(log);
    }
    tell(log);

    assertThat(levels()).containsExactly("INFO", "WARN");
  }

  /** Such lines come from threads that work for all recorders. */
  @Test
  void aLineThatNamesARecorderIsOfThatRecorder() {
    output.use(withLevel("level = info", "log_level = error"));
    log.warn(LogEvent.MAX_PAYLOAD_NOT_APPLIED, "recorder {}: {}", "orders", "why");
    log.warn(LogEvent.MAX_PAYLOAD_NOT_APPLIED, "recorder {}: {}", "audit", "why");

    assertThat(lines.all()).singleElement().asString().contains("recorder audit: why");
  }

  @Test
  void aRecorderWithoutALevelOfItsOwnHasTheOneOfAll() {
    output.use(withLevel("level = info", "log_level = debug"));
    use();
    try (LogContext context = LogContext.of("a", "orders", 3)) {
      tell(log);
    }

    assertThat(levels()).containsExactly("INFO", "WARN");
  }

  private void use(String... log) {
    output.use(TestIni.minimal(folder).with("log", log).load());
  }

  private dev.recorder.app.config.RecorderConfig withLevel(String all, String orders) {
    return TestIni.minimal(folder).with("log", all).with("recorder:orders", orders).load();
  }

  private static void tell(Logger log) {
    log.debug("debug");
    log.info("info");
    log.warn("warn");
  }

  private List<String> levels() {
    return lines.all().stream().map(line -> line.split(" +")[1]).toList();
  }
}
