package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.testing.Origins;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectMetadataTest {
  private static final ObjectMetadata METADATA =
      new ObjectMetadata(
          "orders",
          new UUID(1, 2),
          3,
          4,
          "host-a",
          5,
          "abc",
          Origins.CHAIN,
          Origins.DATABASE,
          new WindowPart("7.a", "9.b", true),
          Origins.READ_AT);

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
            "f".repeat(64),
            Origins.CHAIN,
            new DatabaseIdentity("\u0416".repeat(200), Long.MIN_VALUE, 0xffff_ffffL, 0xffff_ffffL),
            WindowPart.of(widest()),
            Origins.READ_AT);

    int bytes =
        large.asMap().entrySet().stream()
            .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
            .sum();
    assertThat(bytes).isLessThan(2_048);
  }

  /** With as many transactions in progress as a server may have. */
  private static Window widest() {
    String running =
        LongStream.range(Long.MAX_VALUE - 10_000, Long.MAX_VALUE - 1)
            .mapToObj(Long::toString)
            .collect(Collectors.joining(","));
    Snapshot snapshot =
        Snapshot.parse((Long.MAX_VALUE - 10_000) + ":" + Long.MAX_VALUE + ":" + running);
    return new Window(snapshot, snapshot, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"window", "window-from", "window-to"})
  void saysNothingOfTheWindowIfThatIsNotAllThere(String part) {
    Map<String, String> map = new HashMap<>(METADATA.asMap());
    map.remove(part);

    assertThat(ObjectMetadata.from(map).orElseThrow().window()).isNull();
  }

  @Test
  void saysNothingOfTheWindowInWordsThatItDoesNotKnow() {
    Map<String, String> map = new HashMap<>(METADATA.asMap());
    map.put("window", "perhaps");

    assertThat(ObjectMetadata.from(map).orElseThrow().window()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"recorder", "log", "slot", "epoch", "writer", "rows", "sha256", "chain"})
  void isNothingIfAPartIsMissing(String part) {
    Map<String, String> map = new HashMap<>(METADATA.asMap());
    map.remove(part);

    assertThat(ObjectMetadata.from(map)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"log,x", "slot,", "slot,1.5", "epoch,-", "rows,99999999999", "chain,abc"})
  void isNothingIfAPartIsMalformed(String part, String value) {
    Map<String, String> map = new HashMap<>(METADATA.asMap());
    map.put(part, value == null ? "" : value);

    assertThat(ObjectMetadata.from(map)).isEmpty();
  }
}
