package dev.recorder.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
  private static final int ATTEMPTS = 3_000;
  private static final int MILLIS_BETWEEN_ATTEMPTS = 20;

  private final TestFolder folder = TestFolder.create("pgbouncer");
  private final int port;
  private final Process process;

  private PgBouncer(Path program, PostgresServer server, String mode) throws IOException {
    this.port = freePort();
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
  public static PgBouncer start(PostgresServer server, String mode)
      throws IOException, InterruptedException {
    PgBouncer pooler = new PgBouncer(program().orElseThrow(), server, mode);
    pooler.awaitStart();
    return pooler;
  }

  private static Optional<Path> program() {
    return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  public int port() {
    return port;
  }

  private void awaitStart() throws IOException, InterruptedException {
    for (int i = 0; i < ATTEMPTS && process.isAlive(); i++) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException notYet) {
        Thread.sleep(MILLIS_BETWEEN_ATTEMPTS);
      }
    }
    String said = Files.readString(log());
    close();
    throw new IOException("pgbouncer does not start: " + said);
  }

  private Path log() {
    return folder.path().resolve("pgbouncer.log");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
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
