package dev.recorder.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderChange.ChangeKind;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReloadAnswerTest {
  @Test
  void itIsReadBackAsItWasWritten() {
    ReloadAnswer answer =
        new ReloadAnswer(
            "/etc/größe.ini",
            true,
            List.of(),
            List.of("[s3] bucket = \"b\", it stays c", "second"),
            List.of(
                new RecorderChange("orders", ChangeKind.NOT_PREFERRED),
                new RecorderChange("second", ChangeKind.STARTED)));

    assertThat(ReloadAnswer.parse(answer.json())).contains(answer);
  }

  @Test
  void whatOnlyAnotherVersionKnowsIsLeftOut() {
    String json =
        """
        {"file": "f", "applied": true, "mood": 1, "recorders": [
          {"recorder": "a", "change": "dreamt"}, {"recorder": "b", "change": "stopped"}]}
        """;

    assertThat(ReloadAnswer.parse(json).orElseThrow().recorders())
        .containsExactly(new RecorderChange("b", ChangeKind.STOPPED));
  }

  @Test
  void whatIsNoAnswerIsNone() {
    for (String json : List.of("", "{", "7", "[]", "{}", "{\"file\": \"f\"}", "{\"file\": 1}")) {
      assertThat(ReloadAnswer.parse(json)).as(json).isEmpty();
    }
  }

  @Test
  void itIsBoundedAndHasNoCharacterThatTheServerRefuses() {
    String longest = "x".repeat(10_000) + "\0";
    List<String> many = Collections.nCopies(100_000, longest);

    ReloadAnswer answer = new ReloadAnswer("f", false, many, many, List.of());

    assertThat(answer.errors()).hasSize(ReloadAnswer.MOST_SENTENCES + 1);
    assertThat(answer.errors().get(ReloadAnswer.MOST_SENTENCES)).isEqualTo("and 99800 more");
    assertThat(answer.json().length()).isLessThan(200_000);
    assertThat(new ReloadAnswer("f", false, List.of("a\0b"), List.of(), List.of()).json())
        .contains("a b")
        .doesNotContain("u0000");
  }
}
