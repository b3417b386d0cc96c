package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentLayoutTest {
  private static final RecorderName NAME = new RecorderName("orders");
  private final DocumentLayout layout = new DocumentLayout("", "bucket", "prefix", NAME);

  @ParameterizedTest
  @CsvSource({
    "42, 42",
    "Az09-._~, Az09-._~",
    "a/b, a%2Fb",
    "., .",
    ".., ..",
    "../../x, ..%2F..%2Fx",
    "a%2Fb, a%252Fb",
    "a+b c, a%2Bb%20c",
    "é, %C3%A9",
    "😀, %F0%9F%98%80",
    "_about/recorder, _about%2Frecorder",
  })
  void anIdIsOneSegmentOfTheKey(String entity, String segment) {
    assertThat(layout.key(entity))
        .isEqualTo(new EntityKey.Usable("prefix/orders/" + segment + ".json"));
  }

  @Test
  void controlCharactersAreEncodedToo() {
    assertThat(layout.key("a\u0000\n\u007f"))
        .isEqualTo(new EntityKey.Usable("prefix/orders/a%00%0A%7F.json"));
  }

  @Test
  void anEmptyIdIsRefused() {
    assertThat(layout.key("")).isEqualTo(new EntityKey.Refused("the entity's id is empty"));
  }

  @Test
  void anIdWithHalfACharacterIsRefused() {
    assertThat(layout.key("a\ud83d"))
        .isEqualTo(new EntityKey.Refused("the entity's id is not valid Unicode"));
  }

  @Test
  void aKeyIsAsLongAsS3AllowsAndNoLonger() {
    int room = 1024 - "prefix/orders/.json".length();

    assertThat(layout.key("x".repeat(room))).isInstanceOf(EntityKey.Usable.class);
    assertThat(layout.key("x".repeat(room + 1)))
        .isInstanceOfSatisfying(
            EntityKey.Refused.class,
            refused -> assertThat(refused.why()).contains("1025 bytes", "1024"));
    assertThat(layout.key("é".repeat(room / 6 + 1))).isInstanceOf(EntityKey.Refused.class);
  }

  @Test
  void theIdentityIsNoEntitys() {
    assertThat(layout.identityKey()).isEqualTo("prefix/orders/_about/recorder.json");
    assertThat(new DocumentLayout("", "bucket", "", NAME).identityKey())
        .isEqualTo("orders/_about/recorder.json");
  }
}
