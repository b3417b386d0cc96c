package dev.recorder.app.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in force in the process of a command. */
class NameCacheIT {
  @TempDir private Path folder;

  /** Runs a command, and says at its end what is set. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] args) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () ->
                      System.out.println(
                          Security.getProperty("networkaddress.cache.ttl")
                              + " "
                              + Security.getProperty("networkaddress.cache.negative.ttl")),
                  "probe"));
      RecorderCommand.main(args);
    }
  }

  @Test
  void everyCommandAsksTheNameServiceAgainAfterFiveSeconds() throws Exception {
    assertThat(run()).endsWith("5 5");
  }

  @Test
  void anOperatorsOwnSettingStands() throws Exception {
    Path file = Files.writeString(folder.resolve("security"), "networkaddress.cache.ttl=60\n");

    assertThat(run("-Djava.security.properties=" + file)).endsWith("60 5");
  }

  private static String run(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Probe.class.getName(), "--version"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(60, SECONDS)).as(output).isTrue();
    return output;
  }
}
