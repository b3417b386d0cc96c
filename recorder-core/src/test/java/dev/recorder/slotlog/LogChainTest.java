package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The hashes are those that {@code printf | sha256sum} prints. */
class LogChainTest {
  private static final UUID LOG = UUID.fromString("11111111-2222-3333-4444-555555555555");

  @Test
  void beginsWithTheLogsIdentity() {
    assertThat(LogChain.of(LOG))
        .hasToString("666ff6ccaa5b3c07feaa3a95d3a4bd2c46ac9e9abdb09ca9133528d3dc1e8952");
    assertThat(LogChain.of(LOG, null)).isEqualTo(LogChain.of(LOG));
  }

  @Test
  void eachSlotHashesTheChainBeforeItAndItsContent() {
    String content = "ab".repeat(32);

    assertThat(LogChain.of(LOG).then(content))
        .hasToString("478aeaeba8df3f3c7816842bf188f3e248ec46e1332d6e41ce7abb3a02540692");
    assertThat(LogChain.of(LOG).then(content).then(content))
        .hasToString("561e26b64dc1d8124cc37925ed5a033f15822d61570d41811afcf51e3dbc1a5b");
  }

  @Test
  void isNothingButAHash() {
    for (String text : new String[] {"", "abc", "AB".repeat(32), "ab".repeat(33)}) {
      assertThatThrownBy(() -> new LogChain(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
