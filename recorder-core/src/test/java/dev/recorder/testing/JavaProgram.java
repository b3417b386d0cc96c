package dev.recorder.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of the tests in a process of its own: on this one's class path and server, and as brief
 * as this one. What lives for seconds is not worth optimising.
 */
public final class JavaProgram {
  private static final List<String> PASSED_ON = List.of("recorder.test.brief", "postgres");

  private JavaProgram() {}

  /** With options of the JVM, which come behind those that all have. */
  public static ProcessBuilder of(Class<?> main, List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Boolean.getBoolean("recorder.test.brief")) {
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    }
    // A killed JVM would leave its performance counters in the temporary folder of the system.
    command.add("-XX:-UsePerfData");
    for (String property : PASSED_ON) {
      String value = System.getProperty(property);
      if (value != null) {
        command.add("-D" + property + "=" + value);
      }
    }
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }
}
