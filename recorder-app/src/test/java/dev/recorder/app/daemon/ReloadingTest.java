package dev.recorder.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderChange.ChangeKind;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.TestIni;
import dev.recorder.app.metrics.Reloads;
import dev.recorder.operate.orders.MachineOrder;
import dev.recorder.operate.orders.Operator;
import dev.recorder.operate.orders.OrderKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is asked to read its file again, without a machine. */
class ReloadingTest {
  private static final Operator ALICE = new Operator("alice", "recorder", "127.0.0.1");

  @TempDir private Path folder;
  private final List<RecorderConfig> applied = new ArrayList<>();
  private List<String> awaitsRestart = List.of();
  private Path file;
  private Reloading reloading;

  @BeforeEach
  void run() throws Exception {
    file = TestIni.minimal(folder).write();
    reloading = new Reloading(ConfigFile.load(file), this::apply, new Reloads());
  }

  private void apply(RecorderConfig config, List<String> waits) {
    applied.add(config);
    awaitsRestart = waits;
  }

  @Test
  void whatWaitsForARestartIsToldUntilTheFileSaysOtherwise() {
    TestIni.minimal(folder).with("recorder:orders", "linger = 2s").write();
    order(false, file);
    assertThat(awaitsRestart).singleElement().asString().contains("linger = 2s, it stays");

    TestIni.minimal(folder).write();
    order(false, file);
    assertThat(awaitsRestart).isEmpty();
  }

  @Test
  void aChangeIsAppliedAndToldOncePerReload() {
    TestIni.minimal(folder).set("recorder:orders", "primary = false").write();

    ReloadAnswer answer = order(false, file);

    assertThat(answer.applied()).isTrue();
    assertThat(answer.errors()).isEmpty();
    assertThat(answer.recorders())
        .containsExactly(new RecorderChange("orders", ChangeKind.NOT_PREFERRED));
    assertThat(applied).hasSize(1);
    assertThat(applied.get(0).recorders().get(0).primary()).isFalse();
    assertThat(order(false, file).recorders())
        .containsExactly(new RecorderChange("orders", ChangeKind.UNCHANGED));
  }

  @Test
  void aDryRunSaysTheSameAndAppliesNothing() {
    TestIni.minimal(folder)
        .set("recorder:orders", "primary = false")
        .with("recorder:orders", "linger = 2s")
        .write();

    ReloadAnswer answer = order(true, file);

    assertThat(answer.applied()).isFalse();
    assertThat(answer.recorders())
        .containsExactly(new RecorderChange("orders", ChangeKind.NOT_PREFERRED));
    assertThat(answer.needsRestart()).containsExactly("[recorder:orders] linger = 2s, it stays 1s");
    assertThat(applied).isEmpty();
    assertThat(order(true, file)).isEqualTo(answer);
  }

  @Test
  void ofABadFileNothingIsAppliedAndEachErrorIsToldWithItsLine() throws Exception {
    Files.writeString(
        file, Files.readString(file).replace("primary = true", "primary = maybe\nlingr = 1s"));

    for (boolean dryRun : new boolean[] {true, false}) {
      ReloadAnswer answer = order(dryRun, file);

      assertThat(answer.applied()).isFalse();
      assertThat(answer.errors())
          .hasSize(2)
          .allMatch(error -> error.matches(".*recorder.ini:1[0-9]: error: .*; help: .*"));
    }
    assertThat(applied).isEmpty();
  }

  @Test
  void afterABadFileAGoodOneIsComparedWithWhatRuns() throws Exception {
    Files.writeString(file, "[machine]\n");
    order(false, file);
    TestIni.minimal(folder).set("recorder:orders", "primary = false").write();

    assertThat(order(false, file).recorders())
        .containsExactly(new RecorderChange("orders", ChangeKind.NOT_PREFERRED));
  }

  @Test
  void whoMeansAnotherFileIsToldSoAndNothingIsRead() throws Exception {
    Path other = Files.copy(file, folder.resolve("other.ini"));

    ReloadAnswer answer = order(false, other);

    assertThat(answer.applied()).isFalse();
    assertThat(answer.file()).isEqualTo(file.toRealPath().toString());
    assertThat(answer.errors()).singleElement().asString().contains("does not read it, it reads ");
    assertThat(applied).isEmpty();
  }

  @Test
  void aLinkToTheFileIsTheFile() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link.ini"), file);
    Reloading byLink = new Reloading(ConfigFile.load(link), this::apply, new Reloads());

    String answer = byLink.carryOut(order(OrderKind.RELOAD, file));

    assertThat(ReloadAnswer.parse(answer).orElseThrow().applied()).isTrue();
  }

  @Test
  void whatFailsUnforeseenIsAnAnswerToo() throws Exception {
    Reloading broken =
        new Reloading(
            ConfigFile.load(file),
            (config, waits) -> {
              throw new IllegalStateException("as a test wants it");
            },
            new Reloads());

    ReloadAnswer answer =
        ReloadAnswer.parse(broken.carryOut(order(OrderKind.RELOAD, file))).orElseThrow();

    assertThat(answer.applied()).isFalse();
    assertThat(answer.errors()).singleElement().asString().startsWith("bug: ");
  }

  private ReloadAnswer order(boolean dryRun, Path named) {
    String answer = reloading.carryOut(order(dryRun ? OrderKind.COMPARE : OrderKind.RELOAD, named));
    return ReloadAnswer.parse(answer).orElseThrow();
  }

  private static MachineOrder order(OrderKind kind, Path named) {
    return new MachineOrder(1, kind, "", ConfigFile.realPath(named), ALICE);
  }
}
