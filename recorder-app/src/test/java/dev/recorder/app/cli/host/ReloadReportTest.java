package dev.recorder.app.cli.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.host.ReloadEffects.RecorderReloadEffect;
import dev.recorder.app.cli.host.ReloadRun.ReloadOutcome;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderChange.ChangeKind;
import dev.recorder.app.daemon.ReloadAnswer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ReloadReportTest {
  private static final ReloadAnswer STARTED =
      new ReloadAnswer(
          "f",
          true,
          List.of(),
          List.of(),
          List.of(new RecorderChange("orders", ChangeKind.STARTED)));

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ReloadReport report;

  ReloadReportTest() {
    CommandLine command = new CommandLine(CommandSpec.create());
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    report = new ReloadReport(command.getCommandSpec(), new OutputOption(), "host-a");
  }

  @Test
  void aRecorderThatIsRefusedIsNotCalledStarted() {
    String why = "refused on host-a: no bucket";
    ReloadOutcome refused =
        new ReloadOutcome(
            STARTED, List.of(new RecorderReloadEffect("orders", "started", true, true, why)));

    assertThat(report.done(refused)).isEqualTo(ExitCode.FAULTS);

    assertThat(out.toString().lines().skip(1))
        .singleElement()
        .asString()
        .matches("orders +refused +" + why);
    assertThat(err).asString().startsWith("recorder: host-a has read its file again, and refuses");
  }

  @Test
  void aDryRunThatWouldStartOneSaysWhatItHasNotAsked() {
    assertThat(report.compared(STARTED)).isEqualTo(ExitCode.OK);

    assertThat(out)
        .asString()
        .containsPattern("orders +started")
        .contains("started, unless the database or the bucket speaks against it");
  }
}
