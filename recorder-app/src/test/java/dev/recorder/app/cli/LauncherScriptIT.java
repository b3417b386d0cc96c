package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.app.cli.output.TerminalLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code scripts/recorder} on a host without the sources, with a java that only says its arguments.
 */
class LauncherScriptIT {
  private static final String ONE_THREAD = "-XX:+UseSerialGC";

  /** Gives a program a terminal. */
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    Path script = Files.createDirectories(home.resolve("scripts")).resolve("recorder");
    executable(script, Files.readString(Path.of("..", "scripts", "recorder")));
    Path java = Files.createDirectories(home.resolve("jdk/bin")).resolve("java");
    executable(java, "#!/bin/sh\nfor argument; do echo \"$argument\"; done\n");
  }

  @Test
  void theClassPathIsTheProducts() throws Exception {
    assertThat(arguments(Map.of()))
        .containsExactly(
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=3",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:SharedArchiveFile=" + archive(),
            "-Xshare:auto",
            "-Xlog:cds*=off",
            "-cp",
            lib(),
            "dev.recorder.app.cli.Main",
            "check",
            "-c",
            "a b.ini");
  }

  @Test
  void theArchiveOfClassesIsMadeOnceWhereTheFolderMayBeWritten() throws Exception {
    Files.createDirectories(archive().resolveSibling("lib"));
    Path java = home.resolve("jdk/bin/java");
    executable(
        java,
        """
        #!/bin/sh
        for argument; do
          case $argument in
            -XX:DumpLoadedClassList=*) echo list >"${argument#*=}" ;;
            -XX:SharedClassListFile=*) [ "$(cat "${argument#*=}")" = list ] || exit 1 ;;
            -XX:SharedArchiveFile=*.[0-9]*) echo classes >"${argument#*=}"; echo >>"$0.made"; exit ;;
          esac
          echo "$argument"
        done
        """);

    assertThat(arguments(Map.of())).doesNotContain("dev.recorder.app.cli.TrainingRun");
    assertThat(arguments(Map.of())).contains("dev.recorder.app.cli.Main");

    assertThat(archive()).hasContent("classes");
    assertThat(java.resolveSibling("java.made")).content().isEqualTo("\n");
  }

  @Test
  void halfAnArchiveIsNotUsed() throws Exception {
    Path folder = Files.createDirectories(archive().resolveSibling("lib")).getParent();
    executable(
        home.resolve("jdk/bin/java"),
        """
        #!/bin/sh
        for argument; do
          case $argument in -XX:SharedArchiveFile=*.[0-9]*) echo half >"${argument#*=}"; exit 1 ;; esac
          echo "$argument"
        done
        """);

    assertThat(arguments(Map.of())).contains("dev.recorder.app.cli.Main");

    assertThat(archive()).isEmptyFile();
    assertThat(folder).isDirectoryNotContaining("glob:**.jsa.*");
  }

  @Test
  void aJvmThatMakesNoArchiveKeepsNothingFromStarting() throws Exception {
    Files.createDirectories(archive().resolveSibling("lib"));

    assertThat(arguments(Map.of())).contains("dev.recorder.app.cli.Main");

    assertThat(archive()).isEmptyFile();
  }

  @Test
  void jarsOfHandlersComeBehindTheProducts() throws Exception {
    assertThat(arguments(Map.of("RECORDER_CLASSPATH", "/opt/my shop/*:/opt/x.jar")))
        .containsSequence("-cp", lib() + ":/opt/my shop/*:/opt/x.jar");
  }

  @Test
  void anEmptyVariableDoesNotPutTheCurrentFolderOnTheClassPath() throws Exception {
    assertThat(arguments(Map.of("RECORDER_CLASSPATH", ""))).containsSequence("-cp", lib());
  }

  @Test
  void aHostBeginsWithASmallHeap() throws Exception {
    assertThat(options("run", "-Xmx9g"))
        .startsWith(
            "-XX:+ExitOnOutOfMemoryError",
            "-Xms32m",
            "-XX:MetaspaceSize=64m",
            "-XX:CompileThresholdScaling=3",
            "-XX:-UsePerfData",
            "-XX:SharedArchiveFile=" + archive());
    assertThat(options("verify", "-Xmx1g"))
        .startsWith("-XX:+ExitOnOutOfMemoryError", "-XX:SharedArchiveFile=" + archive());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xmx256m",
        "-Xmx8192M -Dx=y",
        "-Dx=y -Xmx8388608k",
        "-Xmx16g -Xmx8g",
        "-Dx=-Xmx -Xmx1g"
      })
  void aHeapOfUpTo8GibibytesIsCollectedByOneThread(String given) throws Exception {
    assertThat(options("run", given)).contains(ONE_THREAD);
    assertThat(options("run", given + " -XX:+UseG1GC")).doesNotContain(ONE_THREAD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-Xmx8193m", "-Xmx9g", "-Xmx1t", "-XX:MaxRAMPercentage=80", "-Xmx1g -Xmx9g"})
  void aLargerOneIsNotNorOneThatIsGivenOtherwise(String given) throws Exception {
    assertThat(options("run", given)).doesNotContain(ONE_THREAD);
  }

  @Test
  void itGrowsEarlyUnlessSomebodySaysWhenItDoes() throws Exception {
    assertThat(options("run", "-Xmx1g"))
        .contains("-XX:MinHeapFreeRatio=70", "-XX:MaxHeapFreeRatio=85");
    assertThat(options("run", "-Xmx1g -XX:MaxHeapFreeRatio=60"))
        .contains(ONE_THREAD)
        .doesNotContain("-XX:MinHeapFreeRatio=70", "-XX:MaxHeapFreeRatio=85");
  }

  @Test
  void withoutOptionsTheHeapIsAQuarterOfTheMemory() throws Exception {
    boolean isSmall = memoryKibibytes() / 4 <= 8 << 20;

    assertThat(options("run", "").contains(ONE_THREAD)).isEqualTo(isSmall);
    assertThat(options("run", "")).isEqualTo(options("run", " "));
  }

  private static long memoryKibibytes() throws IOException {
    return Long.parseLong(
        Files.readAllLines(Path.of("/proc/meminfo")).get(0).replaceAll("[^0-9]", ""));
  }

  /** As in a container, or in a job of cron: the JVM would read arguments as ASCII. */
  @Test
  void whereNoLocaleIsSetTheProgramIsGivenOneWithAllCharacters() throws Exception {
    executable(
        home.resolve("jdk/bin/java"), "#!/bin/sh\necho \"${LC_CTYPE-none} ${LC_ALL-none}\"\n");

    assertThat(arguments(Map.of())).containsExactly("C.UTF-8 none");
    assertThat(arguments(Map.of("LANG", ""))).containsExactly("C.UTF-8 none");
    assertThat(arguments(Map.of("LANG", "C"))).containsExactly("none none");
    assertThat(arguments(Map.of("LC_ALL", "POSIX"))).containsExactly("none POSIX");
    assertThat(arguments(Map.of("LC_CTYPE", "de_DE"))).last().isEqualTo("de_DE none");
  }

  /** By which {@code verify} shows how far it is, or does not. */
  @Test
  void onATerminalTheProgramIsToldSoAndElsewhereNot() throws Exception {
    String told = "-D" + TerminalLine.TERMINAL + "=true";
    assertThat(options("verify", "")).doesNotContain(told);

    assumeThat(SCRIPT).as("util-linux").isExecutable();
    String verify = "'" + home + "/scripts/recorder' verify";
    assertThat(output(List.of(SCRIPT.toString(), "-qec", verify, "/dev/null"), Map.of()))
        .containsSubsequence(told, "-cp", lib(), "verify");
  }

  private List<String> options(String command, String javaOpts) throws Exception {
    List<String> all = arguments(List.of(command), Map.of("JAVA_OPTS", javaOpts));
    List<String> options = all.subList(0, all.indexOf("-cp"));
    List<String> given = List.of(javaOpts.split(" "));
    return options.stream().filter(option -> !given.contains(option)).toList();
  }

  private Path archive() {
    return home.resolve("recorder-app/target/recorder/recorder.jsa");
  }

  private String lib() {
    return home + "/recorder-app/target/recorder/lib/*";
  }

  private List<String> arguments(Map<String, String> variables) throws Exception {
    return arguments(List.of("check", "-c", "a b.ini"), variables);
  }

  private List<String> arguments(List<String> command, Map<String, String> variables)
      throws Exception {
    List<String> line = new ArrayList<>(List.of(home + "/scripts/recorder"));
    line.addAll(command);
    return output(line, variables);
  }

  private List<String> output(List<String> line, Map<String, String> variables) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment
        .keySet()
        .removeAll(
            List.of(
                "RECORDER_HOME",
                "RECORDER_CLASSPATH",
                "JAVA_OPTS",
                "LANG",
                "LC_ALL",
                "LC_CTYPE",
                "JDK_JAVA_OPTIONS",
                "JAVA_TOOL_OPTIONS"));
    environment.put("JAVA_HOME", home.resolve("jdk").toString());
    environment.putAll(variables);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
