package dev.recorder.operate.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.orders.HostAnswer.TermCheck;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostAnswerTest {
  @Test
  void itIsReadAsItWasWritten() {
    HostAnswer answer =
        new HostAnswer(
            "",
            List.of("orders"),
            List.of(new TermCheck("store", "no \"right\""), new TermCheck("file", "")));

    assertThat(HostAnswer.parse(answer.json())).contains(answer);
    assertThat(HostAnswer.parse(HostAnswer.failed("why").json()))
        .contains(HostAnswer.failed("why"));
  }

  @Test
  void theServerTakesWhatItSays() {
    assertThat(HostAnswer.failed("a\0b").json()).doesNotContain("u0000");
    assertThat(HostAnswer.failed("x".repeat(100_000)).json()).hasSizeLessThan(1_000);
  }

  @Test
  void whatIsNoAnswerIsNoneAndWhatANewerVersionAddsIsLeftOut() {
    assertThat(HostAnswer.parse("{}")).isEmpty();
    assertThat(HostAnswer.parse("nothing")).isEmpty();
    assertThat(HostAnswer.parse("{\"error\":\"\",\"more\":1}"))
        .contains(new HostAnswer("", List.of(), List.of()));
  }
}
