package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {

  /** The table of RFC 7396, appendix A. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":\"b\"}             | {\"a\":\"c\"}                     | {\"a\":\"c\"}",
        "{\"a\":\"b\"}             | {\"b\":\"c\"}                     | {\"a\":\"b\",\"b\":\"c\"}",
        "{\"a\":\"b\"}             | {\"a\":null}                      | {}",
        "{\"a\":\"b\",\"b\":\"c\"} | {\"a\":null}                      | {\"b\":\"c\"}",
        "{\"a\":[\"b\"]}           | {\"a\":\"c\"}                     | {\"a\":\"c\"}",
        "{\"a\":\"c\"}             | {\"a\":[\"b\"]}                   | {\"a\":[\"b\"]}",
        "{\"a\":{\"b\":\"c\"}}     | {\"a\":{\"b\":\"d\",\"c\":null}}  | {\"a\":{\"b\":\"d\"}}",
        "{\"a\":[{\"b\":\"c\"}]}   | {\"a\":[1]}                       | {\"a\":[1]}",
        "[\"a\",\"b\"]             | [\"c\",\"d\"]                     | [\"c\",\"d\"]",
        "{\"a\":\"b\"}             | [\"c\"]                           | [\"c\"]",
        "{\"a\":\"foo\"}           | null                              | null",
        "{\"a\":\"foo\"}           | \"bar\"                           | \"bar\"",
        "{\"e\":null}              | {\"a\":1}                         | {\"e\":null,\"a\":1}",
        "[1,2]                     | {\"a\":\"b\",\"c\":null}          | {\"a\":\"b\"}",
        "{}                        | {\"a\":{\"bb\":{\"ccc\":null}}}   | {\"a\":{\"bb\":{}}}",
      })
  void doesWhatTheTableOfTheRfcSays(String document, String patch, String result) throws Exception {
    assertThat(Json.text(MergePatch.apply(Json.parse(document), Json.parse(patch))))
        .isEqualTo(result);
  }

  @Test
  void aDocumentThatIsNotThereIsLikeOneThatIsNoObject() throws Exception {
    assertThat(Json.text(MergePatch.apply(null, Json.parse("{\"a\":{\"b\":null,\"c\":1}}"))))
        .isEqualTo("{\"a\":{\"c\":1}}");
  }

  @Test
  void changesNeitherTheDocumentNorThePatch() throws Exception {
    JsonNode document = Json.parse("{\"a\":{\"b\":1},\"c\":2}");
    JsonNode patch = Json.parse("{\"a\":{\"b\":null,\"d\":{\"e\":3}},\"c\":null}");

    JsonNode once = MergePatch.apply(document, patch);
    MergePatch.apply(once, Json.parse("{\"a\":{\"d\":{\"e\":null}}}"));

    assertThat(Json.text(document)).isEqualTo("{\"a\":{\"b\":1},\"c\":2}");
    assertThat(Json.text(patch)).isEqualTo("{\"a\":{\"b\":null,\"d\":{\"e\":3}},\"c\":null}");
    assertThat(Json.text(once)).isEqualTo("{\"a\":{\"d\":{\"e\":3}}}");
  }

  /**
   * A patch that comes again counts where it came last: {@code p, x, p} is {@code x, p}. That is
   * why a repetition is harmless when nothing came between, and why it is not when something did.
   */
  @Test
  void ofAPatchThatComesTwiceTheFirstTimeDoesNotCount() throws Exception {
    Random random = new Random(7396);
    int harmful = 0;
    for (int i = 0; i < 4_000; i++) {
      JsonNode document = any(random, 3);
      JsonNode patch = any(random, 3);
      JsonNode other = any(random, 3);

      JsonNode inOrder = MergePatch.apply(MergePatch.apply(document, patch), other);
      JsonNode again = MergePatch.apply(inOrder, patch);

      assertThat(again).isEqualTo(MergePatch.apply(MergePatch.apply(document, other), patch));
      harmful += again.equals(inOrder) ? 0 : 1;
    }
    assertThat(harmful).isGreaterThan(1_000);
  }

  @Test
  void outlinesAreMergedAsWholeTreesAre() throws Exception {
    Random random = new Random(7396);
    for (int i = 0; i < 4_000; i++) {
      JsonNode document = any(random, 3);
      JsonNode patch = any(random, 3);

      JsonNode merged = MergePatch.apply(outline(document), outline(patch));

      assertThat(Json.parse(Json.text(merged))).isEqualTo(MergePatch.apply(document, patch));
    }
  }

  private static JsonNode outline(JsonNode tree) throws Exception {
    return Json.outline(Json.text(tree));
  }

  private static JsonNode any(Random random, int depth) throws Exception {
    if (depth == 0 || random.nextInt(4) == 0) {
      return Json.parse(random.nextInt(4) == 0 ? "null" : Integer.toString(random.nextInt(3)));
    }
    ObjectNode object = (ObjectNode) Json.parse("{}");
    for (String name : new String[] {"a", "b"}) {
      if (random.nextInt(3) > 0) {
        object.set(name, any(random, depth - 1));
      }
    }
    return object;
  }
}
