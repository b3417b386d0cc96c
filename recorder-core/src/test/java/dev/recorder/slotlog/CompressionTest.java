package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompressionTest {
  @ParameterizedTest
  @EnumSource
  void whatIsPackedComesBack(Compression compression) throws Exception {
    for (int length : new int[] {0, 1, 100_000}) {
      byte[] bytes = new byte[length];
      new Random(length).nextBytes(bytes);
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream packing = compression.packing(packed)) {
        packing.write(bytes);
      }

      assertThat(compression.unpacking(packed.toByteArray()).readAllBytes()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @EnumSource
  void isFoundUnderTheNameItPrints(Compression compression) {
    assertThat(Compression.named(compression.toString())).isEqualTo(compression);
  }

  @Test
  void hasTheExtensionsThatReadersRelyOn() {
    assertThat(Compression.GZIP.extension()).isEqualTo("ndjson.gz");
    assertThat(Compression.ZSTD.extension()).isEqualTo("ndjson.zst");
    assertThat(Compression.NONE.extension()).isEqualTo("ndjson");
  }

  @Test
  void refusesANameItDoesNotKnow() {
    assertThatThrownBy(() -> Compression.named("rar")).isInstanceOf(IllegalArgumentException.class);
  }
}
