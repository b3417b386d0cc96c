package dev.recorder.app.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The formula of docs/operating.md. */
class ConnectionsTest {
  @TempDir private Path folder;

  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of("", log(1), 7),
        Arguments.of("", log(1) + "history = forever\n", 6),
        Arguments.of("", log(1) + "verify_every = 1d\n", 9),
        Arguments.of("", log(1) + log(2), 8),
        Arguments.of("", log(1) + log(5), 7),
        Arguments.of("", log(1) + log(2) + log(3) + log(4) + log(5), 10),
        Arguments.of("task_timeouts = 10s\n", log(1), 8),
        Arguments.of("", log(1) + "[http]\nlisten = 127.0.0.1:9747\n", 8),
        Arguments.of("", requests(1, 4), 7),
        Arguments.of("", requests(1, 4) + requests(2, 64) + log(3), 76));
  }

  @ParameterizedTest
  @MethodSource("files")
  void aHostNeedsSoMany(String machine, String recorders, int needed)
      throws IOException, ConfigException {
    Path file = folder.resolve("recorder.ini");
    Files.writeString(
        file,
        "[machine]\nname = a\n"
            + machine
            + "[postgredb]\nendpoint = db\ndatabase = app\nuser = rec\n"
            + "[s3]\nregion = eu-central-1\nbucket = bucket\n"
            + recorders);

    assertThat(Connections.needed(ConfigFile.load(file))).isEqualTo(needed);
  }

  private static String log(int lockId) {
    return "[recorder:l%d]\nlockid = %d\nprimary = true\n".formatted(lockId, lockId);
  }

  private static String requests(int lockId, int workers) {
    return "[recorder:r%d]\nlockid = %d\nkind = requests\nworkers = %d\n"
        .formatted(lockId, lockId, workers);
  }
}
