package dev.recorder.app.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.TestIni;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

class JsonLineTest {
  @TempDir private Path folder;
  private LoggedLines lines;
  private Logger log;

  @BeforeEach
  void writeJson() throws Exception {
    lines = new LoggedLines();
    log = lines.logger("dev.recorder.machine.term.ActiveTerm");
    new LogOutput(lines.context()).use(TestIni.minimal(folder).with("log", "format = json").load());
  }

  @Test
  void aLineSaysWhoWhenWhatAndTheFieldsOfTheEvent() {
    try (LogContext context = LogContext.of("host-a", "orders", 8)) {
      log.info(LogEvent.FIRST_SLOT_SETTLED, "first slot {} settled {} ms into the term", 41L, 7L);
    }

    assertThat(lines.last())
        .matches(
            "\\{\"time\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\",\"level\":\"INFO\","
                + "\"machine\":\"host-a\",\"recorder\":\"orders\",\"epoch\":8,"
                + "\"event\":\"first_slot_settled\",\"message\":\"first slot 41 settled 7 ms into"
                + " the term\","
                + "\"logger\":\"dev.recorder.machine.term.ActiveTerm\",\"thread\":\"[^\"]+\",\"slot\":41,\"after_ms\":7}\n");
  }

  @Test
  void whereNoThreadSaysWhoItIsTheMachineIsThatOfTheFile() {
    log.info(LogEvent.STOPPING, "stopping");

    assertThat(lines.lastJson().get("machine").textValue()).isEqualTo("a");
    assertThat(names(lines.lastJson()))
        .containsExactly("time", "level", "machine", "event", "message", "logger", "thread");
  }

  /** Before its first term, and between terms of others. */
  @Test
  void outsideOfTermsThereIsNoEpoch() {
    try (LogContext context = LogContext.of("host-a", "orders", 0)) {
      log.info(LogEvent.ABLE, "able");
    }

    assertThat(lines.lastJson().has("epoch")).isFalse();
  }

  @Test
  void aLineOfAnotherLibraryHasNoEvent() {
    lines.logger("org.example.Pool").info("{} left", 3);

    assertThat(lines.lastJson().has("event")).isFalse();
    assertThat(lines.lastJson().get("message").textValue()).isEqualTo("3 left");
  }

  @Test
  void anErrorAndItsStackAreFieldsOfTheOneLine() {
    log.error(LogEvent.BUG, "bug: {} failed", "Put", new IllegalStateException("two\nlines"));

    JsonNode line = lines.lastJson();
    assertThat(lines.last()).containsOnlyOnce("\n").endsWith("}\n");
    assertThat(line.get("message").textValue()).isEqualTo("bug: Put failed");
    assertThat(line.get("error").textValue())
        .isEqualTo("java.lang.IllegalStateException: two\nlines");
    assertThat(line.get("stack").textValue())
        .contains("\tat dev.recorder.app.logs.JsonLineTest.anErrorAndItsStack");
  }

  @Test
  void whatATerminalWouldObeyIsEscapedAndReadsBackAsItWas() {
    String hostile = "a\u001b[31m\u009b2Jb\rc\u0000\n\u2028\u202e\udb40\udc41\u007f \"é — 日本\\";
    log.warn(LogEvent.CONTROL_SESSION_LOST, "lost: {}", hostile);

    assertThat(lines.last().stripTrailing()).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}]");
    assertThat(lines.last()).contains("é — 日本");
    assertThat(lines.lastJson().get("why").textValue()).isEqualTo(hostile);
    assertThat(lines.lastJson().get("message").textValue()).isEqualTo("lost: " + hostile);
  }

  @Test
  void whatIsUnknownIsLeftOutAndWhatIsNoFieldStandsInTheMessageAlone() {
    log.info(
        LogEvent.TERM_BEGAN,
        "active ({}): {} -> {}, epoch {} -> {}, silence {} ms{}; {}",
        "died",
        "host-a",
        "host-b",
        7L,
        8L,
        0L,
        ", gap 5 ms",
        "gone",
        null);

    JsonNode line = lines.lastJson();
    assertThat(line.get("message").textValue())
        .isEqualTo("active (died): host-a -> host-b, epoch 7 -> 8, silence 0 ms, gap 5 ms; gone");
    assertThat(names(line))
        .endsWith("reason", "from", "to", "from_epoch", "epoch", "silence_ms", "why");
    assertThat(line.get("epoch").longValue()).isEqualTo(8);
  }

  /** journald would break a longer line in two. */
  @Test
  void whatWouldMakeTheLineTooLongIsCut() {
    log.warn(LogEvent.CONTROL_SESSION_LOST, "lost: {}", "x".repeat(100_000));

    assertThat(lines.last()).hasSizeLessThan(48 * 1024);
    assertThat(lines.lastJson().get("message").textValue())
        .hasSize(JsonLine.LONGEST_SENTENCE + 1)
        .endsWith("x…");
    assertThat(lines.lastJson().get("why").textValue())
        .hasSize(JsonLine.LONGEST + 1)
        .endsWith("x…");
  }

  @Test
  void anArgumentThatCannotBeShownCostsNoLine() {
    Object broken =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("not now");
          }
        };
    log.warn(LogEvent.CONTROL_SESSION_LOST, "lost: {}", broken);

    assertThat(lines.lastJson().get("event").textValue()).isEqualTo("control_session_lost");
  }

  @Test
  void theConfigurationIsOneFieldOfTheStartWithoutSecrets() {
    RecorderConfig config = TestIni.minimal(folder).with("postgredb", "password = hunter2").load();
    log.info(
        AppEvent.STARTING,
        "recorder {} as {} from {}, effective configuration:\n{}",
        "1.2",
        "a",
        "/etc/recorder.ini",
        config.effective());

    JsonNode line = lines.lastJson();
    assertThat(lines.last()).containsOnlyOnce("\n").doesNotContain("hunter2");
    assertThat(line.get("message").textValue())
        .isEqualTo("recorder 1.2 as a from /etc/recorder.ini, effective configuration");
    assertThat(line.get("configuration").textValue()).isEqualTo(config.effective());
    assertThat(line.get("version").textValue()).isEqualTo("1.2");
  }

  private static List<String> names(JsonNode line) {
    List<String> names = new ArrayList<>();
    line.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
