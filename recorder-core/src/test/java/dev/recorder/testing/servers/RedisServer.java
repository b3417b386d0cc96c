package dev.recorder.testing.servers;

import dev.recorder.testing.AtExit;
import dev.recorder.testing.ProcessSignal;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.network.Ports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis server on a random loopback port, which keeps what it has in memory only: one that was
 * killed, or restarted, begins empty.
 *
 * <p>Nothing of it stays behind: {@link #close} removes process and files, a JVM that ends without
 * closing does it in a shutdown hook, and one that is killed leaves it to the next. Thread-safe.
 */
public final class RedisServer implements AutoCloseable {
  private static final long END_SECONDS = 60;
  private static final String BUSY = "Text file busy";
  private static final int MOST_TRIES = 500;

  private final TestFolder folder;
  private final Path program;
  private final int port;
  private final Map<String, String> settings;
  private Process process;
  private boolean closed;

  private RedisServer(Map<String, String> settings) throws IOException {
    this.settings = settings;
    this.folder = TestFolder.create("redis");
    this.program = unpack(folder.path());
    this.port = Ports.free();
    AtExit.register(this);
  }

  public static RedisServer start() {
    return start(Map.of());
  }

  /**
   * A server of its own.
   *
   * @param settings lines of {@code redis.conf}
   */
  public static RedisServer start(Map<String, String> settings) {
    try {
      RedisServer server = new RedisServer(Map.copyOf(settings));
      server.launch();
      return server;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Named by its whole path, so that whoever sweeps the folder finds the process by it. */
  private static Path unpack(Path folder) throws IOException {
    File unpacked = ExecutableProvider.newJarResourceProvider(folder.toFile()).get();
    return unpacked.toPath().toAbsolutePath();
  }

  public int port() {
    return port;
  }

  public synchronized long pid() {
    return process.pid();
  }

  public synchronized boolean isRunning() {
    return process.isAlive();
  }

  /** SIGKILL. {@link #restart} brings it back, empty. */
  public synchronized void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Ends it at once, and starts it again on the same port, empty. */
  public synchronized void restart() {
    kill();
    launch();
  }

  /** SIGSTOP: connections stay open, new ones are taken by the kernel, and nobody answers. */
  public void freeze() {
    ProcessSignal.send("STOP", pid());
  }

  /** SIGCONT: what has been sent meanwhile is done now. */
  public void thaw() {
    ProcessSignal.send("CONT", pid());
  }

  /** What the server says to a command on a connection of its own: a text, a number, null. */
  public Object ask(String command, String... arguments) {
    try (Connection connection = connect()) {
      connection.sendCommand(Command.valueOf(command), arguments);
      return readable(connection.getOne());
    }
  }

  /** A new connection. */
  public Connection connect() {
    return new Connection(
        new HostAndPort("127.0.0.1", port),
        DefaultJedisClientConfig.builder()
            .password(settings.get("requirepass"))
            .socketTimeoutMillis(60_000)
            .build());
  }

  /** The keys there are that match, as {@code KEYS} matches. */
  public List<String> keys(String pattern) {
    return ((List<?>) ask("KEYS", pattern))
        .stream().map(Object::toString).collect(Collectors.toList());
  }

  /** How many clients with that name are connected. */
  public long clients(String name) {
    return ask("CLIENT", "LIST")
        .toString()
        .lines()
        .filter(line -> line.contains(" name=" + name + " "))
        .count();
  }

  /** What the server has logged. */
  public String log() {
    try {
      return Files.readString(logFile());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      if (process != null) {
        kill();
      }
      folder.close();
      AtExit.forget(this);
    }
  }

  @Override
  public String toString() {
    return "Redis on port " + port;
  }

  private synchronized void launch() {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    List<String> command = new ArrayList<>(List.of(program.toString()));
    add(command, Map.of("bind", "127.0.0.1", "save", "", "appendonly", "no"));
    add(command, Map.of("dir", folder.path().toString(), "port", Integer.toString(port)));
    add(command, settings);
    try {
      process =
          started(
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile())));
      Ports.awaitListener(port, process, this::log);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * The program has just been written: a process that another thread starts has that file open for
   * writing too, until it runs its own program, and for so long nobody can run ours.
   */
  private static Process started(ProcessBuilder builder) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return builder.start();
      } catch (IOException failed) {
        if (tries == MOST_TRIES || !String.valueOf(failed.getMessage()).contains(BUSY)) {
          throw failed;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  private static void add(List<String> command, Map<String, String> settings) {
    settings.forEach(
        (name, value) -> {
          command.add("--" + name);
          command.addAll(List.of(value.split(" ")));
        });
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(this + " does not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  private static Object readable(Object answer) {
    if (answer instanceof byte[] text) {
      return new String(text, StandardCharsets.UTF_8);
    } else if (answer instanceof List<?> list) {
      return list.stream().map(RedisServer::readable).collect(Collectors.toList());
    }
    return answer;
  }

  private Path logFile() {
    return folder.path().resolve("server.log");
  }
}
