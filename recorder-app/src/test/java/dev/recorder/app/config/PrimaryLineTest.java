package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrimaryLineTest {
  @Test
  void nothingButTheWordChangesWhateverItsDress() {
    assertThat(PrimaryLine.set("[a]\r\n\t primary =\ttrue  \r\n; end", 2, false))
        .contains("[a]\r\n\t primary =\tfalse  \r\n; end");
    assertThat(PrimaryLine.set("primary=\"false\"", 1, true)).contains("primary=\"true\"");
    assertThat(PrimaryLine.set("x\nprimary = 'true'\n", 2, false))
        .contains("x\nprimary = 'false'\n");
  }

  @Test
  void ofTwoSuchLinesItIsTheOneThatIsMeant() {
    assertThat(PrimaryLine.set("primary = true\nprimary = true\n", 2, false))
        .contains("primary = true\nprimary = false\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "primary = maybe",
        "primary = true ; for now",
        "; primary = true",
        "primary = \"true'",
        "secondary = true",
        "primary true"
      })
  void aLineInAnotherFormIsNotTouched(String line) {
    assertThat(PrimaryLine.set(line, 1, false)).isEmpty();
  }
}
