package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.requests.Request;
import dev.recorder.requests.RequestType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PatchingTest {
  private static final int PLENTY = 1_000_000;

  @Test
  void appliesUpdatesInTheOrderInWhichTheyCome() throws Exception {
    Patching.Result result =
        Patching.of(
            "{\"a\":0}",
            List.of(update(1, "{\"a\":1,\"b\":1}"), update(2, "{\"a\":2}"), update(3, null)),
            PLENTY);

    assertThat(result.text()).isEqualTo("{\"a\":2,\"b\":1}");
    assertThat(result.applied().ids()).containsExactly(1L, 2L, 3L);
    assertThat(result.failed()).isEmpty();
  }

  @Test
  void anUpdateThatIsNoJsonFailsAlone() throws Exception {
    Patching.Result result =
        Patching.of(
            "{}",
            List.of(
                update(1, "{\"a\":1}"),
                update(2, "{\"a\":\"\\ud800\"}"),
                update(3, "[".repeat(2_000)),
                update(4, "{\"b\":4}")),
            PLENTY);

    assertThat(result.text()).isEqualTo("{\"a\":1,\"b\":4}");
    assertThat(result.applied().ids()).containsExactly(1L, 4L);
    assertThat(result.failed()).containsOnlyKeys(2L, 3L);
    assertThat(result.failed().get(2L)).contains("half a character");
    assertThat(result.failed().get(3L)).contains("1000");
  }

  @Test
  void anUpdateThatMakesTheDocumentTooLargeFailsAlone() throws Exception {
    String limit = "{\"a\":\"xxxxx\",\"b\":1}";
    Patching.Result result =
        Patching.of(
            "{\"a\":\"xxx\"}",
            List.of(
                update(1, "{\"a\":\"xxxxx\"}"),
                update(2, "{\"b\":12}"),
                update(3, "{\"b\":1}"),
                update(4, "{\"c\":null}"),
                update(5, "{\"c\":\"\"}")),
            limit.length());

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
    assertThat(Patching.of("{}", List.of(update(1, "{\"a\":\"éé\"}")), 11).failed()).hasSize(1);
    assertThat(Patching.of("{}", List.of(update(1, "{\"a\":\"éé\"}")), 12).failed()).isEmpty();
  }

  @Test
  void aDocumentThatIsTooLargeAlreadyMayBecomeSmaller() throws Exception {
    Patching.Result result =
        Patching.of(
            "{\"a\":\"xxxxx\",\"b\":1}",
            List.of(update(1, "{\"b\":12}"), update(2, "{\"b\":2}"), update(3, "{\"a\":\"x\"}")),
            5);

    assertThat(result.text()).isEqualTo("{\"a\":\"x\",\"b\":2}");
    assertThat(result.applied().ids()).containsExactly(2L, 3L);
  }

  @Test
  void whatFailsLeavesTheTextAsItWas() throws Exception {
    Patching.Result result = Patching.of("{ \"a\": 1 }", List.of(update(1, "\"\\ud800\"")), PLENTY);

    assertThat(result.applied().ids()).isEmpty();
    assertThat(result.failed()).containsOnlyKeys(1L);
  }

  @Test
  void takesAsManyAsTheMetadataHaveRoomFor() throws Exception {
    List<Request> updates = new ArrayList<>();
    for (long i = 0; i < 2_000; i++) {
      updates.add(update(Long.MAX_VALUE / 2 + i * 40, "{\"n\":" + i + "}"));
    }

    Patching.Result result = Patching.of("{}", updates, PLENTY);

    AppliedIds applied = result.applied();
    assertThat(applied.text().length()).isBetween(AppliedIds.LONGEST_TEXT - 3, 1200);
    assertThat(applied.ids()).hasSizeBetween(390, 400);
    assertThat(result.text()).isEqualTo("{\"n\":" + (applied.ids().size() - 1) + "}");
    assertThat(result.failed()).isEmpty();
  }

  @Test
  void aDocumentThatIsNoJsonCannotBePatched() {
    assertThatThrownBy(() -> Patching.of("<a/>", List.of(update(1, "{}")), PLENTY))
        .isInstanceOf(BadJsonException.class);
  }

  private static Request update(long id, String payload) {
    return new Request(id, RequestType.UPDATE, payload, 0);
  }
}
