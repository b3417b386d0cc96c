package dev.recorder.app.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample of a systemd unit does what the documents promise of it. */
class ServiceUnitTest {
  private static final double MOST_EXPOSURE = 2;
  private static final String SAMPLE = "conf/recorder.service";
  private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");
  private static final Set<String> LISTS = Set.of("SystemCallFilter");
  private static final Map<String, String> UNIT = read(Documents.text(SAMPLE));

  @Test
  void itCanBeEnabledReloadedAndStopped() {
    assertThat(UNIT)
        .containsEntry("Install.WantedBy", "multi-user.target")
        .containsEntry("Service.ExecReload", "/bin/sh -c 'kill -HUP $MAINPID'")
        .containsEntry("Service.Restart", "on-failure")
        // To systemd the end by this signal is no failure.
        .containsEntry("Service.RestartForceExitStatus", "SIGHUP")
        .containsEntry("Service.SuccessExitStatus", "143")
        .containsEntry("Service.EnvironmentFile", "-/etc/recorder/s3.env")
        .containsEntry("Unit.After", "network-online.target")
        .containsEntry("Unit.Wants", "network-online.target");
    assertThat(UNIT.get("Service.User")).isNotEqualTo("root").isNotNull();
    assertThat(Integer.parseInt(UNIT.get("Service.TimeoutStopSec"))).isGreaterThan(10);
    assertThat(Documents.text("docs/quick-start.md")).contains("/etc/recorder/s3.env ");
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

  @Test
  void systemdReadsItWithoutAWordAndFindsItShutIn(@TempDir Path folder) throws Exception {
    assumeTrue(Files.isExecutable(ANALYZE), "no systemd-analyze");
    Path unit = folder.resolve("recorder.service");
    // The product is not installed here.
    String sample = Documents.text(SAMPLE).replace("ExecStart=recorder", "ExecStart=/bin/true");
    Files.writeString(unit, sample.replaceAll("(?m)^#([A-Z]\\w+=)", "$1"));
    assertThat(unit).content().contains("\nLoadCredential=", "\nEnvironment=AWS_");
    assertThat(said("verify", "--man=no", unit.toString())).isEmpty();
    Files.writeString(unit, sample);

    assertThat(said("verify", "--man=no", unit.toString())).isEmpty();
    String exposure = said("security", "--offline=yes", "--no-pager", unit.toString());
    Matcher level = Pattern.compile("exposure level for .*: ([0-9.]+)").matcher(exposure);
    assertThat(level.find()).as(exposure).isTrue();
    assertThat(Double.parseDouble(level.group(1))).isLessThanOrEqualTo(MOST_EXPOSURE);
  }

  private static String said(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(ANALYZE.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Values by section and key; systemd joins those of the keys that it takes as lists. */
  private static Map<String, String> read(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    String section = "";
    for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
      if (line.startsWith("[")) {
        section = line.substring(1, line.length() - 1);
      } else {
        String[] parts = line.split("=", 2);
        String before = values.put(section + "." + parts[0], parts[1]);
        assertThat(before == null || LISTS.contains(parts[0])).as(line).isTrue();
      }
    }
    return values;
  }
}
