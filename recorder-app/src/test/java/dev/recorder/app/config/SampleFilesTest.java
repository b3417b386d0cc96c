package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.Secret;
import dev.recorder.handoff.RecorderKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples in {@code conf/}, which operators start from. */
class SampleFilesTest {
  private static final Path SAMPLES = Path.of("..", "conf");

  @TempDir private Path folder;

  @BeforeEach
  void putThePasswordBesideThem() {
    TestIni.write(folder.resolve("db-password"), "secret\n", "rw-------");
  }

  @Test
  void bothAreReadWithoutAFinding() throws Exception {
    RecorderConfig a = load("host-a.ini");
    RecorderConfig b = load("host-b.ini");

    assertThat(a.warnings()).isEmpty();
    assertThat(b.warnings()).isEmpty();
    assertThat(a.machine().name()).isEqualTo("host-a");
    assertThat(b.machine().name()).isEqualTo("host-b");
    assertThat(a.database().password()).isEqualTo(new Secret("secret"));
  }

  @Test
  void eachRecorderHasItsPrimaryOnOneHost() throws Exception {
    assertThat(load("host-a.ini").recorders())
        .extracting(RecorderSection::name, RecorderSection::lockId, RecorderSection::primary)
        .containsExactly(tuple("orders", 1, true), tuple("audit", 2, false));
    assertThat(load("host-b.ini").recorders())
        .extracting(RecorderSection::name, RecorderSection::lockId, RecorderSection::primary)
        .containsExactly(tuple("orders", 1, false), tuple("audit", 2, true));
  }

  @Test
  void theyDifferInTheMachineNameAndThePrimaryFlagsOnly() throws Exception {
    List<String> a = Files.readAllLines(SAMPLES.resolve("host-a.ini"));
    List<String> b = Files.readAllLines(SAMPLES.resolve("host-b.ini"));

    assertThat(a).hasSameSizeAs(b);
    assertThat(
            IntStream.range(0, a.size())
                .filter(line -> !a.get(line).equals(b.get(line)))
                .mapToObj(a::get))
        .containsExactly("name = host-a", "primary = true", "primary = false");
    assertThat(load("host-a.ini").configHash()).isEqualTo(load("host-b.ini").configHash());
  }

  @Test
  void theSampleForRequestsServesEveryHost() throws Exception {
    RecorderConfig config = load("requests.ini");

    assertThat(config.warnings()).isEmpty();
    assertThat(config.machine().name()).isEqualTo("here");
    assertThat(config.recorders())
        .extracting(RecorderSection::name, RecorderSection::lockId, RecorderSection::kind)
        .containsExactly(
            tuple("customers", 1, RecorderKind.REQUESTS),
            tuple("invoices", 2, RecorderKind.REQUESTS),
            tuple("accounts", 3, RecorderKind.REQUESTS));
    assertThat(config.recorder("customers").orElseThrow().orNull(RecorderSectionKeys.HANDLER))
        .isNull();
    assertThat(config.recorder("customers").orElseThrow().orNull(RecorderSectionKeys.QUERY))
        .isNull();
    assertThat(config.recorder("accounts").orElseThrow().orNull(RecorderSectionKeys.QUERY))
        .contains(":entity");
  }

  @Test
  void theSampleForRedisServesEveryHost() throws Exception {
    RecorderConfig config = load("redis.ini");

    assertThat(config.warnings()).isEmpty();
    assertThat(TestIni.inEffect(config, "redis")).startsWith("endpoint = redis.example.com");
    assertThat(TestIni.inEffect(config, "recorder:orders")).contains("election = redis");
  }

  /** So that a sample cannot be forgotten here. */
  @Test
  void thereAreNoOtherSamples() throws Exception {
    try (Stream<Path> samples = Files.list(SAMPLES)) {
      assertThat(samples.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "handlers",
              "host-a.ini",
              "host-b.ini",
              "recorder.service",
              "redis.ini",
              "requests.ini");
    }
  }

  /**
   * A line such as {@code ;port = 5432} promises that taking the semicolon away changes nothing.
   */
  @ParameterizedTest
  @ValueSource(strings = {"host-a.ini", "redis.ini", "requests.ini"})
  void theDefaultsTheyShowAreTheDefaults(String sample) throws Exception {
    String text = Files.readString(SAMPLES.resolve(sample));
    String uncommented = text.replaceAll("(?m)^;(?=[a-z])", "");

    assertThat(uncommented).isNotEqualTo(text);
    assertThat(ConfigFile.load(TestIni.write(folder, uncommented), TestIni.HERE).effective())
        .isEqualTo(load(sample).effective());
  }

  private RecorderConfig load(String sample) throws ConfigException, IOException {
    Path copy =
        Files.writeString(folder.resolve(sample), Files.readString(SAMPLES.resolve(sample)));
    return ConfigFile.load(copy, TestIni.HERE);
  }
}
