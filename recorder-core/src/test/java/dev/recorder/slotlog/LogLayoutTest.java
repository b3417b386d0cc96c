package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class LogLayoutTest {
  private static final RecorderName ORDERS = new RecorderName("orders");

  @Test
  void keysSortAsSlotsDo() {
    LogLayout layout = layout("prod/eu", Compression.GZIP);

    assertThat(layout.slotKey(1)).isEqualTo("prod/eu/orders/00000000000000000001.ndjson.gz");
    assertThat(layout.slotKey(9)).isLessThan(layout.slotKey(10));
    assertThat(layout.slotKey(Long.MAX_VALUE))
        .isEqualTo("prod/eu/orders/09223372036854775807.ndjson.gz");
  }

  @Test
  void withoutAPrefixTheRecordersFolderComesFirst() {
    LogLayout layout = layout("", Compression.NONE);

    assertThat(layout.folder()).isEqualTo("orders/");
    assertThat(layout.slotKey(7)).isEqualTo("orders/00000000000000000007.ndjson");
    assertThat(layout.identityKey()).isEqualTo("orders/_log.json");
  }

  @Test
  void keysHaveTheSameDigitsInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(layout("", Compression.NONE).slotKey(7)).contains("00000000000000000007");
    } finally {
      Locale.setDefault(before);
    }
  }

  private static LogLayout layout(String prefix, Compression compression) {
    return new LogLayout("", "bucket", prefix, ORDERS, compression);
  }
}
