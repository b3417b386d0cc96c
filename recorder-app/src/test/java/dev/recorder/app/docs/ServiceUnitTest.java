package dev.recorder.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The sample of a systemd unit does what the documents promise of it. */
class ServiceUnitTest {
  private static final Map<String, String> UNIT = read(Documents.text("conf/recorder.service"));

  @Test
  void itCanBeEnabledReloadedAndStopped() {
    assertThat(UNIT)
        .containsEntry("Install.WantedBy", "multi-user.target")
        .containsEntry("Service.ExecReload", "/bin/kill -HUP $MAINPID")
        .containsEntry("Service.Restart", "on-failure")
        // To systemd the end by this signal is no failure.
        .containsEntry("Service.RestartForceExitStatus", "SIGHUP")
        .containsEntry("Service.SuccessExitStatus", "143")
        .containsEntry("Unit.After", "network-online.target")
        .containsEntry("Unit.Wants", "network-online.target");
    assertThat(UNIT.get("Service.User")).isNotEqualTo("root").isNotNull();
    assertThat(Integer.parseInt(UNIT.get("Service.TimeoutStopSec"))).isGreaterThan(10);
  }

  @Test
  void itIsNotStartedAgainForWhatOnlyAPersonCanPutRight() {
    List<String> never = List.of(UNIT.get("Service.RestartPreventExitStatus").split(" "));
    List<List<String>> codes =
        Documents.tableBehind("## Exit codes", Documents.text("docs/commands.md"));

    assertThat(never)
        .containsExactlyElementsOf(
            codes.stream()
                .filter(row -> row.get(2).matches("Correct the call\\.|Fix it first\\."))
                .map(row -> row.get(0).replace("`", ""))
                .filter(code -> !code.startsWith("12")) // Those of lock run.
                .toList());
  }

  @Test
  void theRunbookReadsTheJournalOfTheUnit() {
    Matcher unit =
        Pattern.compile("journalctl -u\\s+(\\w+)").matcher(Documents.text("docs/runbook.md"));

    assertThat(unit.find()).isTrue();
    assertThat(unit.group(1)).isEqualTo("recorder");
    assertThat(Documents.text("README.md")).contains("conf/recorder.service");
  }

  /** Values by section and key; systemd takes the last of most keys that are there twice. */
  private static Map<String, String> read(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    String section = "";
    for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
      if (line.startsWith("[")) {
        section = line.substring(1, line.length() - 1);
      } else {
        String[] parts = line.split("=", 2);
        assertThat(values.put(section + "." + parts[0], parts[1])).as(line).isNull();
      }
    }
    return values;
  }
}
