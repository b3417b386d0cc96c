package dev.recorder.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FollowUpRequestTest {
  private static FollowUpRequest after(@Nullable String... payloads) {
    List<Request> requests =
        IntStream.range(0, payloads.length)
            .mapToObj(i -> new Request(i, RequestType.UPDATE, payloads[i], 0))
            .toList();
    return FollowUpRequest.after(
        new WorkUnit(new RecorderName("orders"), "e", UUID.randomUUID(), 1, requests));
  }

  @Test
  void theFirstComesSoonAndEachLaterOneAfterTwiceTheTime() {
    FollowUpRequest first = after(null, "{\"looked\":\"x\"}", "{}");
    assertThat(first.payload()).isEqualTo("{\"looked\":1}");
    assertThat(first.pause()).isEqualTo(Duration.ofMillis(250));

    FollowUpRequest third = after("{\"looked\":2}", null);
    assertThat(third.payload()).isEqualTo("{\"looked\":3}");
    assertThat(third.pause()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void thePauseIsHalfAMinuteAtMostHoweverOftenItWasLooked() {
    FollowUpRequest look = after("{\"looked\":99}");

    assertThat(look.payload()).isEqualTo("{\"looked\":99}");
    assertThat(look.pause()).isEqualTo(Duration.ofSeconds(30));
  }
}
