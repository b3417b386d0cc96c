package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.RecorderChange.ChangeKind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderChangeTest {
  @TempDir private Path folder;

  @Test
  void anUnchangedFileLeavesEachAsItIs() {
    assertThat(changes(minimal(), minimal())).isEqualTo(Map.of("orders", ChangeKind.UNCHANGED));
  }

  @Test
  void recordersStartAndStop() {
    TestIni other =
        minimal().without("recorder:orders").with("recorder:jobs", "lockid = 2", "kind = requests");

    assertThat(changes(minimal(), other))
        .isEqualTo(Map.of("jobs", ChangeKind.STARTED, "orders", ChangeKind.STOPPED));
  }

  @Test
  void aPreferenceThatGoesIsToldFromOneThatComes() {
    TestIni secondary = minimal().set("recorder:orders", "primary = false");

    assertThat(changes(minimal(), secondary)).isEqualTo(Map.of("orders", ChangeKind.NOT_PREFERRED));
    assertThat(changes(secondary, minimal())).isEqualTo(Map.of("orders", ChangeKind.PREFERRED));
  }

  @Test
  void whatTakesEffectAtOnceIsToldFromWhatWaits() {
    assertThat(changes(minimal(), minimal().with("recorder:orders", "failback = manual")))
        .isEqualTo(Map.of("orders", ChangeKind.CHANGED));
    assertThat(changes(minimal(), minimal().with("recorder:orders", "linger = 2s")))
        .isEqualTo(Map.of("orders", ChangeKind.NEEDS_RESTART));
  }

  /** What the sentences of the reload say besides. */
  @Test
  void ofSeveralChangesTheGravestIsNamed() {
    TestIni both =
        minimal().set("recorder:orders", "primary = false").with("recorder:orders", "linger = 2s");

    assertThat(changes(minimal(), both)).isEqualTo(Map.of("orders", ChangeKind.NOT_PREFERRED));
  }

  @Test
  void aKeyOfAnotherSectionLeavesTheRecorderAsItIs() {
    assertThat(changes(minimal(), minimal().with("timing", "lease = 1400ms")))
        .isEqualTo(Map.of("orders", ChangeKind.UNCHANGED));
  }

  @Test
  void aRecorderThatCannotComeWithoutARestartIsNamedAllTheSame() {
    TestIni renamed =
        minimal()
            .without("recorder:orders")
            .with("recorder:invoices", "lockid = 1", "primary = true")
            .with("recorder:other", "lockid = 2", "primary = true");

    assertThat(changes(minimal(), renamed))
        .isEqualTo(
            Map.of(
                "other",
                ChangeKind.STARTED,
                "orders",
                ChangeKind.STOPPED,
                "invoices",
                ChangeKind.NEEDS_RESTART));
  }

  @Test
  void wordsAreReadBackAndThoseOfOtherVersionsAreNot() {
    for (ChangeKind kind : ChangeKind.values()) {
      assertThat(ChangeKind.named(kind.word())).contains(kind);
    }
    assertThat(ChangeKind.named("NOT_PREFERRED")).isEmpty();
    assertThat(ChangeKind.named("dreamt")).isEmpty();
  }

  private TestIni minimal() {
    return TestIni.minimal(folder);
  }

  private static Map<String, ChangeKind> changes(TestIni before, TestIni after) {
    RecorderConfig running = before.load();
    Map<String, ChangeKind> changes = new LinkedHashMap<>();
    RecorderChange.all(running, Reload.of(running, after.load()))
        .forEach(change -> changes.put(change.recorder(), change.kind()));
    return changes;
  }
}
