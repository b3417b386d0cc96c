package dev.recorder.testing.servers;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.testing.JavaProgram;
import dev.recorder.testing.ShownErrors;
import dev.recorder.testing.TestFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that runs the servers is ended without closing them. */
class NothingStaysBehindIT {
  @TempDir private Path temp;

  /** What a JVM runs that is ended from outside: prints pid and ports, then waits. */
  static final class Servers {
    private Servers() {}

    public static void main(String[] args) throws Exception {
      PostgresServer postgres = PostgresServer.start();
      S3Server s3 = S3Server.start();
      s3.createBucket("bucket");
      System.out.println(postgres.pid() + " " + postgres.port() + " " + s3.port());
      Thread.sleep(120_000);
    }
  }

  /** What the next JVM runs: the least that makes it clean up. */
  static final class Next {
    private Next() {}

    public static void main(String[] args) throws Exception {
      TestFolder.create("next").close();
    }
  }

  @Test
  void whenTheJvmIsTerminated() throws Exception {
    Process jvm = start(Servers.class);
    String[] numbers = firstLine(jvm).split(" ");

    jvm.destroy();

    assertThat(jvm.waitFor(60, SECONDS)).isTrue();
    assertThat(command(Long.parseLong(numbers[0]))).isEmpty();
    assertRefused(Integer.parseInt(numbers[1]));
    assertRefused(Integer.parseInt(numbers[2]));
    assertThat(leftInTemp()).isEmpty();
  }

  @Test
  void onceAnotherJvmHasRunWhenTheJvmIsKilled() throws Exception {
    Process killed = start(Servers.class);
    long orphan = Long.parseLong(firstLine(killed).split(" ")[0]);
    killed.destroyForcibly().waitFor(60, SECONDS);
    assertThat(command(orphan)).isPresent();

    Process next = start(Next.class);

    assertThat(next.waitFor(60, SECONDS)).isTrue();
    assertThat(command(orphan)).isEmpty();
    assertThat(leftInTemp()).noneMatch(name -> name.startsWith("recorder"));
  }

  private Process start(Class<?> main) throws IOException {
    return ShownErrors.of(JavaProgram.of(main, List.of("-Djava.io.tmpdir=" + temp), List.of()));
  }

  private static String firstLine(Process process) throws IOException {
    BufferedReader lines = process.inputReader();
    return lines.readLine();
  }

  private static void assertRefused(int port) {
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(ConnectException.class);
  }

  /** What the process runs; nothing if there is none, or only its exit status still waits. */
  private static Optional<String> command(long pid) {
    return ProcessHandle.of(pid).flatMap(process -> process.info().command());
  }

  private List<String> leftInTemp() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toList());
    }
  }
}
