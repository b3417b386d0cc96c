package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.requests.Request;
import dev.recorder.requests.RequestType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PatchingTest {
  private static final int PLENTY = 1_000_000;

  @Test
  void appliesUpdatesInTheOrderInWhichTheyCome() throws Exception {
    Patching.Patched result = patched("{\"a\":0}", PLENTY, "{\"a\":1,\"b\":1}", "{\"a\":2}", null);

    assertThat(result.text()).isEqualTo("{\"a\":2,\"b\":1}");
    assertThat(result.applied().ids()).containsExactly(1L, 2L, 3L);
    assertThat(result.failed()).isEmpty();
  }

  @Test
  void anUpdateThatIsNoJsonFailsAlone() throws Exception {
    Patching.Patched result =
        patched("{}", PLENTY, "{\"a\":1}", "{\"a\":\"\\ud800\"}", "[".repeat(2_000), "{\"b\":4}");

    assertThat(result.text()).isEqualTo("{\"a\":1,\"b\":4}");
    assertThat(result.applied().ids()).containsExactly(1L, 4L);
    assertThat(result.failed()).containsOnlyKeys(2L, 3L);
    assertThat(result.failed().get(2L)).contains("half a character");
    assertThat(result.failed().get(3L)).contains("1000");
  }

  @Test
  void anUpdateThatMakesTheDocumentTooLargeFailsAlone() throws Exception {
    String limit = "{\"a\":\"xxxxx\",\"b\":1}";
    Patching.Patched result =
        patched(
            "{\"a\":\"xxx\"}",
            limit.length(),
            "{\"a\":\"xxxxx\"}",
            "{\"b\":12}",
            "{\"b\":1}",
            "{\"c\":null}",
            "{\"c\":\"\"}");

    assertThat(result.text()).isEqualTo(limit);
    assertThat(result.applied().ids()).containsExactly(1L, 3L, 4L);
    assertThat(result.failed())
        .isEqualTo(
            Map.of(
                2L, "the document would have 20 bytes, the limit is 19",
                5L, "the document would have 26 bytes, the limit is 19"));
  }

  @Test
  void sizesAreBytesNotCharacters() throws Exception {
    assertThat(patched("{}", 11, "{\"a\":\"éé\"}").failed()).hasSize(1);
    assertThat(patched("{}", 12, "{\"a\":\"éé\"}").failed()).isEmpty();
  }

  @Test
  void aDocumentThatIsTooLargeAlreadyMayBecomeSmaller() throws Exception {
    Patching.Patched result =
        patched("{\"a\":\"xxxxx\",\"b\":1}", 5, "{\"b\":12}", "{\"b\":2}", "{\"a\":\"x\"}");

    assertThat(result.text()).isEqualTo("{\"a\":\"x\",\"b\":2}");
    assertThat(result.applied().ids()).containsExactly(2L, 3L);
  }

  @Test
  void whatFailsLeavesTheTextAsItWas() throws Exception {
    Patching.Patched result = patched("{ \"a\": 1 }", PLENTY, "\"\\ud800\"");

    assertThat(result.applied().ids()).isEmpty();
    assertThat(result.failed()).containsOnlyKeys(1L);
  }

  @Test
  void takesAsManyAsTheMetadataHaveRoomFor() throws Exception {
    List<Request> updates = new ArrayList<>();
    for (long i = 0; i < 2_000; i++) {
      updates.add(update(Long.MAX_VALUE / 2 + i * 40, "{\"n\":" + i + "}"));
    }

    Patching.Patched result = Patching.of("{}", updates, PLENTY, () -> false);

    AppliedIds applied = result.applied();
    assertThat(applied.text().length()).isBetween(AppliedIds.LONGEST_TEXT - 3, 1200);
    assertThat(applied.ids()).hasSizeBetween(390, 400);
    assertThat(result.text()).isEqualTo("{\"n\":" + (applied.ids().size() - 1) + "}");
    assertThat(result.failed()).isEmpty();
  }

  @Test
  void takesNoMoreOnceTheTimeForThemIsOver() throws Exception {
    long[] now = {Long.MAX_VALUE - 5}; // soon to overflow, as monotonic time may
    RoundLimit patience = new RoundLimit(() -> now[0], Duration.ofNanos(20));
    List<Request> updates = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      updates.add(update(i, "{\"n\":" + i + "}"));
    }

    Patching.Patched result =
        Patching.of(
            "{}",
            updates,
            PLENTY,
            () -> {
              now[0] += 4; // each takes so long
              return patience.isHalfOver();
            });

    assertThat(result.applied().ids()).containsExactly(1L, 2L, 3L);
    assertThat(result.text()).isEqualTo("{\"n\":3}");
    assertThat(result.failed()).isEmpty();
  }

  /** Else it would never be done. */
  @Test
  void takesOneInAnyCase() throws Exception {
    assertThat(
            Patching.of("{}", List.of(update(1, "{}"), update(2, "{}")), PLENTY, () -> true)
                .applied()
                .ids())
        .containsExactly(1L);
  }

  @Test
  void aDocumentThatIsNoJsonCannotBePatched() {
    assertThatThrownBy(() -> patched("<a/>", PLENTY, "{}")).isInstanceOf(BadJsonException.class);
  }

  /** By updates 1, 2, ... */
  private static Patching.Patched patched(String text, int limit, @Nullable String... payloads)
      throws BadJsonException {
    List<Request> updates = new ArrayList<>();
    for (String payload : payloads) {
      updates.add(update(updates.size() + 1, payload));
    }
    return Patching.of(text, updates, limit, () -> false);
  }

  private static Request update(long id, @Nullable String payload) {
    return new Request(id, RequestType.UPDATE, payload, 0);
  }
}
