package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TableName;
import dev.recorder.handoff.RecorderName;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code capture = …} of a recorder of requests, and {@code entity} in the sections. */
class DocumentCaptureSettingsTest {
  private static final String LINE = "capture:jobs/public.line";
  private static final String QUERY = "query = SELECT id FROM public.line WHERE id = :entity";

  @TempDir private Path folder;

  private TestIni listing(String... more) {
    return TestIni.withRequests(folder, "capture = line").with("recorder:jobs", more);
  }

  @Test
  void eachTableSaysWhoseDocumentsItsRowsBelongTo() {
    RecorderConfig config = listing(QUERY).with(LINE, "entity = order_id", "when = id > 5").load();

    assertThat(config.warnings()).isEmpty();
    RecorderSection jobs = config.recorder("jobs").orElseThrow();
    assertThat(ConfiguredMachine.captures(jobs))
        .containsExactly(
            new CaptureRule(
                new RecorderName("jobs"),
                new TableName("public", "line"),
                CaptureOptions.ofDocuments("order_id", "id > 5")));
    assertThat(ConfiguredMachine.settings(config, "").documentCaptures())
        .isEqualTo(ConfiguredMachine.captures(jobs));
  }

  @Test
  void whatIsInEffectIsAFileThatSaysTheSame() {
    RecorderConfig config =
        listing(QUERY).with(LINE, "entity = SELECT o.id FROM public.o WHERE o.l = line.id").load();

    Path again = TestIni.write(folder, config.effective());

    assertThat(TestIni.findings(again, TestIni.HERE)).isEmpty();
    assertThat(config.effective())
        .contains("capture = public.line\n", "entity = SELECT o.id FROM public.o")
        .doesNotContain("old = ");
  }

  @Test
  void aChangedFileTakesEffectWithoutARestart() {
    RecorderConfig running = listing(QUERY).with(LINE, "entity = id").load();
    RecorderConfig fresh = listing(QUERY).with(LINE, "entity = order_id").load();

    Reload reload = Reload.of(running, fresh);

    assertThat(reload.needsRestart()).isEmpty();
    assertThat(captures(reload.config())).isEqualTo(captures(fresh));
  }

  @Test
  void aHandlerOfItsOwnMayBeToldOfEntities() {
    RecorderConfig config = listing("handler = own").with(LINE, "entity = id").load();

    assertThat(captures(config)).hasSize(1);
  }

  @Test
  void aTableThatSaysNotWhoseDocumentsAreRefused() {
    String said =
        "error: nothing says whose documents a row belongs to: there is no entity in ["
            + LINE
            + "]; help: write the section with entity = EXPRESSION";
    listing(QUERY).says("capture = line", said);
    listing(QUERY).with(LINE, "when = id > 5").says("capture = line", said);
  }

  @Test
  void whereChangesAreMergedNothingIsCaptured() {
    listing()
        .with(LINE, "entity = id")
        .says(
            "capture = line",
            "error: capture, and payloads are merged, of which captured changes have none; help:"
                + " give it query = SELECT ..., which builds a document, or a handler of its own");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "columns = a | columns has no meaning with entity: a request has no row; help: leave the"
            + " key out",
        "except = a | except has no meaning with entity: a request has no row; help: leave the key"
            + " out",
        "key = a | key has no meaning with entity: a request has no row; help: leave the key out",
        "old = key | old has no meaning with entity: a request has no row; help: leave the key"
            + " out",
      })
  void anOptionOfLogsIsRefused(String line, String said) {
    listing(QUERY).with(LINE, "entity = id", line).says(line, "error: " + said);
  }

  @Test
  void anExpressionThatIsNoneIsRefused() {
    listing(QUERY)
        .with(LINE, "entity = a; b")
        .says(
            "entity = a; b",
            "error: entity = a; b has a semicolon: one expression is wanted; help: write an"
                + " expression or query of SQL over the row's columns");
  }

  private static List<CaptureSection> captures(RecorderConfig config) {
    return config.recorder("jobs").orElseThrow().captures();
  }
}
