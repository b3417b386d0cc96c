package dev.recorder.testing.servers;

import dev.recorder.testing.AtExit;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.network.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The pooler that most of its users have, as it is installed here, in front of a server's
 * databases. It lets {@link TestDatabase#ROLE} in.
 */
public final class PgBouncer implements AutoCloseable {
  private final TestFolder folder = TestFolder.create("pgbouncer");
  private final int port;
  private final Process process;

  private PgBouncer(Path program, PostgresServer server, String mode) throws IOException {
    this.port = Ports.free();
    Path users = folder.path().resolve("users.txt");
    Files.writeString(users, "\"%s\" \"%s\"\n".formatted(TestDatabase.ROLE, TestDatabase.PASSWORD));
    Path ini = folder.path().resolve("pgbouncer.ini");
    Files.writeString(
        ini,
        """
        [databases]
        * = host=127.0.0.1 port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = scram-sha-256
        auth_file = %s
        pool_mode = %s
        """
            .formatted(server.port(), port, users, mode));
    AtExit.register(this);
    this.process =
        new ProcessBuilder(
                Stream.concat(
                        ServerPrograms.asUser(program.toString()).stream(),
                        Stream.of(ini.toString()))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(log().toFile())
            .start();
  }

  /** Why there is none available; empty if there is. */
  public static Optional<String> missing() {
    return program().isPresent()
        ? Optional.empty()
        : Optional.of("pgbouncer is not installed (/usr/sbin/pgbouncer)");
  }

  /**
   * Starts one.
   *
   * @param mode {@code session} or {@code transaction}
   */
  public static PgBouncer start(PostgresServer server, String mode) throws IOException {
    PgBouncer pooler = new PgBouncer(program().orElseThrow(), server, mode);
    try {
      Ports.awaitListener(pooler.port, pooler.process, pooler::said);
      return pooler;
    } catch (IllegalStateException doesNotStart) {
      pooler.close();
      throw doesNotStart;
    }
  }

  private static Optional<Path> program() {
    return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
        .map(Path::of)
        .filter(Installed::isExecutable)
        .findFirst();
  }

  public int port() {
    return port;
  }

  private String said() {
    try {
      return Files.readString(log());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Path log() {
    return folder.path().resolve("pgbouncer.log");
  }

  @Override
  public void close() throws IOException {
    // It would wait for its clients.
    process.destroyForcibly();
    try {
      process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    folder.close();
    AtExit.forget(this);
  }
}
