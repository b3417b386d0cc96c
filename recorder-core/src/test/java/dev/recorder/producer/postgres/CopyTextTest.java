package dev.recorder.producer.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.producer.NewRow;
import org.junit.jupiter.api.Test;

class CopyTextTest {
  @Test
  void escapesWhatMeansSomethingToCopy() {
    StringBuilder text = new StringBuilder();

    CopyText.append(text, new NewRow(null, "{}"));
    CopyText.append(text, new NewRow("a\tb\\c", "{\"n\":\n\r1}"));
    CopyText.append(text, new NewRow("", "\"\\n\""));

    assertThat(text).hasToString("\\N\t{}\na\\tb\\\\c\t{\"n\":\\n\\r1}\n\t\"\\\\n\"\n");
  }
}
