package dev.recorder.requests.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.testing.Origins;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredDocumentTest {
  private static final UUID PROCESS = new UUID(0x1234_5678_9abc_4defL, 0x8000_0000_0000_0005L);
  private static final DocumentStamp STAMP =
      new DocumentStamp(
          new RecorderName("orders"),
          AppliedIds.of(List.of(7L, 9L)),
          -1,
          PROCESS,
          4711,
          Origins.DATABASE,
          new CreatingRequest(3, 37));

  @Test
  void theBodyIsTheJsonAndALineThatSpellsTheProcess() {
    byte[] body = StoredDocument.of("{\"a\": 1}", STAMP).body();

    assertThat(new String(body, UTF_8)).isEqualTo("{\"a\": 1}\n\t" + " ".repeat(60) + "\t \t\n");
  }

  @Test
  void theMetadataSayWhoWroteWhatAndWhatFor() {
    assertThat(StoredDocument.of("{}", STAMP).metadata())
        .isEqualTo(
            Map.of(
                "recorder", "orders",
                "applied", "7.2",
                "digest", "3w5e11264sgsf",
                "process", "12345678-9abc-4def-8000-000000000005",
                "fence", "4711",
                "database", "7/16384/1 db:5432/app",
                "create", "3.11"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"a\":1}\n", "[1]\n \t\n", "", "\"é😀\""})
  void whatWasWrittenIsRead(String text) {
    StoredDocument written = StoredDocument.of(text, STAMP);

    assertThat(StoredDocument.read(written.body(), written.metadata())).contains(written);
  }

  @Test
  void theMetadataFitIntoTheTwoKilobytesOfS3() {
    AppliedIds full = AppliedIds.of(List.of(Long.MAX_VALUE));
    for (long id = 1; full.fit(); id++) {
      full = full.with(id);
    }
    DocumentStamp largest =
        new DocumentStamp(
            new RecorderName("r".repeat(40)),
            full,
            -1,
            PROCESS,
            Long.MIN_VALUE,
            Origins.DATABASE,
            new CreatingRequest(Long.MAX_VALUE, -1));

    int size =
        largest.asMap().entrySet().stream()
            .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
            .sum();
    assertThat(size).isLessThan(2048);
  }

  @Test
  void objectsOfOthersAreReadAsTheyAre() {
    assertThat(StoredDocument.read("{\"a\":1}\n".getBytes(UTF_8), Map.of("by", "hand")))
        .contains(new StoredDocument("{\"a\":1}\n", Optional.empty()));
  }

  @Test
  void whatIsNoTextIsNotRead() {
    assertThat(StoredDocument.read(new byte[] {'"', (byte) 0xff, '"'}, Map.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "recorder, Orders!",
    "recorder, ",
    "applied, 7..2",
    "applied, ",
    "process, 12345678",
    "fence, x",
    "digest, ",
    "digest, &",
    "create, 3",
    "create, x.1",
    "create, 3."
  })
  void metadataWithAPartThatIsMissingOrMalformedAreNone(String name, String value) {
    Map<String, String> metadata = new HashMap<>(STAMP.asMap());
    if (value == null) {
      metadata.remove(name);
    } else {
      metadata.put(name, value);
    }
    assertThat(DocumentStamp.from(metadata)).isEmpty();
  }
}
