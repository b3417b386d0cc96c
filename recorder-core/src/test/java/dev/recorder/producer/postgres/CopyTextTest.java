package dev.recorder.producer.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.producer.LogRow;
import org.junit.jupiter.api.Test;

class CopyTextTest {
  @Test
  void escapesWhatMeansSomethingToCopy() {
    StringBuilder text = new StringBuilder();

    CopyText.append(text, new LogRow(null, "{}"));
    CopyText.append(text, new LogRow("a\tb\\c", "{\"n\":\n\r1}"));
    CopyText.append(text, new LogRow("", "\"\\n\""));

    assertThat(text).hasToString("\\N\t{}\na\\tb\\\\c\t{\"n\":\\n\\r1}\n\t\"\\\\n\"\n");
  }
}
