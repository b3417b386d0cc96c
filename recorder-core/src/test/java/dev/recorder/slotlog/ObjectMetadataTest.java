package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectMetadataTest {
  private static final ObjectMetadata METADATA =
      new ObjectMetadata("orders", new UUID(1, 2), 3, 4, "host-a", 5, "abc");

  @Test
  void comesBackAsItWasWritten() {
    assertThat(ObjectMetadata.from(METADATA.asMap())).contains(METADATA);
  }

  @Test
  void isSmallEnoughForS3() {
    ObjectMetadata large =
        new ObjectMetadata(
            "r".repeat(40),
            new UUID(-1, -1),
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            "m".repeat(255),
            Integer.MAX_VALUE,
            "f".repeat(64));

    int bytes =
        large.asMap().entrySet().stream()
            .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
            .sum();
    assertThat(bytes).isLessThan(2_048);
  }

  @ParameterizedTest
  @ValueSource(strings = {"recorder", "log", "slot", "epoch", "writer", "rows", "sha256"})
  void isNothingIfAPartIsMissing(String part) {
    Map<String, String> map = new HashMap<>(METADATA.asMap());
    map.remove(part);

    assertThat(ObjectMetadata.from(map)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"log,x", "slot,", "slot,1.5", "epoch,-", "rows,99999999999"})
  void isNothingIfAPartIsMalformed(String part, String value) {
    Map<String, String> map = new HashMap<>(METADATA.asMap());
    map.put(part, value == null ? "" : value);

    assertThat(ObjectMetadata.from(map)).isEmpty();
  }
}
