package dev.recorder.testing.servers;

import dev.recorder.testing.AtExit;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.network.Ports;
import dev.recorder.testing.network.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A PostgreSQL server on a random loopback port, in a temporary folder, of the version that {@link
 * ServerPrograms#chosen} names unless the test wants a certain one. A database takes some three
 * hundred files, so that a server that does not fsync has its folder in memory.
 *
 * <p>The superuser is {@link #SUPERUSER}, without a password; every other role has to give its own,
 * by SCRAM on the installed server and where figures are taken. Unless told otherwise it does not
 * fsync, and commits synchronously as a real one would.
 *
 * <p>Nothing of it stays behind: {@link #close} removes processes and files, a JVM that ends
 * without closing does it in a shutdown hook, and one that is killed leaves it to the next.
 *
 * <p>Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
  public static final String SUPERUSER = "postgres";

  private static final String LIMITED = "SET LOCAL statement_timeout";
  private static final String CANCELED = "57014";
  private static final int MOST_AGAIN = 50;

  private final Map<String, String> settings;
  private final ServerPrograms programs;
  private final Optional<BaseBackup> origin;
  private final TestFolder folder;
  private final int port;
  private final Administrator administrator = new Administrator(this);
  private boolean closed;

  private PostgresServer(
      Map<String, String> settings, ServerPrograms programs, Optional<BaseBackup> origin) {
    this.settings = settings;
    this.programs = programs;
    this.origin = origin;
    boolean durable = "on".equals(settings.get("fsync"));
    this.folder = durable ? TestFolder.create("postgres") : TestFolder.createInMemory("postgres");
    this.port = Ports.free();
    AtExit.register(this);
  }

  /** A server of its own, without fsync. */
  public static PostgresServer start() {
    return builder().start();
  }

  /** The one server that this JVM's tests share; ended with the JVM. Do not stop or kill it. */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  public static Builder builder() {
    return new Builder();
  }

  public int port() {
    return port;
  }

  /** URL of {@code database} without user or password. */
  public String jdbcUrl(String database) {
    return jdbcUrl(database, port);
  }

  /** The same by way of another port, such as a {@link TcpProxy}'s. */
  public static String jdbcUrl(String database, int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  /** A new connection of the superuser. */
  public Connection connectAsSuperuser(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), TestDatabase.credentials(SUPERUSER, ""));
  }

  /** Runs statements as superuser in the database {@code postgres}. */
  public void execute(String... statements) throws SQLException {
    execute("postgres", statements);
  }

  void execute(String database, String[] statements) throws SQLException {
    try (Connection connection = connectAsSuperuser(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        execute(statement, sql);
      }
    }
  }

  /**
   * As an operator does: a step of the script that is to be quick may be slow on a busy machine.
   */
  private static void execute(Statement statement, String sql) throws SQLException {
    for (int again = sql.contains(LIMITED) ? MOST_AGAIN : 0; ; again--) {
      try {
        statement.execute(sql);
        return;
      } catch (SQLException failed) {
        if (again == 0 || !CANCELED.equals(failed.getSQLState())) {
          throw failed;
        }
        statement.execute("ROLLBACK");
      }
    }
  }

  /** Creates a role that may log in and nothing else, unless it is there. */
  public void createRole(String name, String password) throws SQLException {
    administrator.createRole(name, password);
  }

  /** Who makes and drops databases. */
  Administrator administrator() {
    return administrator;
  }

  /** Creates a database that {@code owner} owns. */
  public void createDatabase(String name, String owner) throws SQLException {
    administrator.createDatabase(name, "OWNER " + owner);
  }

  /** Which server it is, as it says itself, and whether it compiles queries (JIT). */
  public String description() throws SQLException {
    return one(
        "SELECT version() || ', JIT ' || CASE WHEN current_setting('jit')::boolean AND"
            + " pg_jit_available() THEN 'on' ELSE 'off' END");
  }

  /** The major version, as 15. */
  public int majorVersion() throws SQLException {
    return Integer.parseInt(one("SHOW server_version_num")) / 10_000;
  }

  private String one(String sql) throws SQLException {
    return one("postgres", sql);
  }

  String one(String database, String sql) throws SQLException {
    try (Connection connection = connectAsSuperuser(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** The number that the next transaction gets. */
  public long nextXid() throws SQLException {
    return Long.parseLong(one("SELECT pg_snapshot_xmax(pg_current_snapshot())::text"));
  }

  /** Uses up transaction numbers until the next one is at least {@code xid}. */
  public void advanceTo(long xid) throws SQLException {
    execute(
        "DO $$ BEGIN WHILE pg_snapshot_xmax(pg_current_snapshot())::text::bigint < "
            + xid
            + " LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
  }

  /** Waits until it no longer recovers, and takes writes. */
  public void awaitPromotion(Duration deadline) throws SQLException, InterruptedException {
    try (Connection connection = connectAsSuperuser("postgres");
        Statement statement = connection.createStatement()) {
      for (long waited = 0; waited < deadline.toMillis(); waited += 20) {
        try (ResultSet row = statement.executeQuery("SELECT pg_is_in_recovery()")) {
          row.next();
          if (!row.getBoolean(1)) {
            return;
          }
        }
        Thread.sleep(20);
      }
      throw new IllegalStateException(this + " recovers still; its log: " + log());
    }
  }

  /** Makes the archive complete up to now. */
  public void archiveAll() throws SQLException, InterruptedException {
    try (Connection connection = connectAsSuperuser("postgres");
        Statement statement = connection.createStatement()) {
      String last;
      try (ResultSet row = statement.executeQuery("SELECT pg_walfile_name(pg_switch_wal())")) {
        row.next();
        last = row.getString(1);
      }
      for (int i = 0; i < 3_000; i++) {
        try (ResultSet row =
            statement.executeQuery(
                "SELECT last_archived_wal >= '" + last + "' FROM pg_stat_archiver")) {
          row.next();
          if (row.getBoolean(1)) {
            return;
          }
        }
        Thread.sleep(10);
      }
      throw new IllegalStateException(last + " was not archived; the log: " + log());
    }
  }

  /** Pid of the main process. */
  public synchronized long pid() {
    return postmaster().pid();
  }

  public synchronized boolean isRunning() {
    return Postmaster.in(dataFolder()).isPresent();
  }

  /** What the server has logged. */
  public String log() {
    try {
      return Files.readString(logFile());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Ends the server, all its sessions at once, and starts it again; starts it if it was killed. */
  public synchronized void restart() {
    stop();
    launch();
  }

  /** SIGKILL, to the main process and its children. {@link #restart} brings it back. */
  public synchronized void kill() {
    killIfRunning();
    stop();
  }

  /** SIGSTOP: connections stay open, new ones are taken by the kernel, and nobody answers. */
  public synchronized void freeze() {
    postmaster().signal("STOP");
  }

  /** SIGCONT: what has been sent meanwhile is done now. */
  public synchronized void thaw() {
    postmaster().signal("CONT");
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      administrator.close();
      stop();
      folder.close();
      AtExit.forget(this);
    }
  }

  @Override
  public String toString() {
    return "PostgreSQL on port " + port;
  }

  private synchronized void launch() {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    try {
      requirePasswords();
      if (origin.isPresent() && !Files.exists(dataFolder())) {
        origin.get().unpackInto(dataFolder());
      }
      if (!Files.exists(dataFolder().resolve("PG_VERSION"))) {
        NewData.make(programs, dataFolder(), logFile());
      }
      programs.run(
          logFile(),
          "pg_ctl",
          "start",
          "--pgdata=" + dataFolder(),
          "--wait",
          "--timeout=60",
          "--options=" + commandLine());
    } catch (IOException failed) {
      throw new UncheckedIOException("PostgreSQL did not start; its log: " + log(), failed);
    }
  }

  /** Before every line of the files in the data folder, which may be another server's copy. */
  private String commandLine() {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put("port", Integer.toString(port));
    all.put("hba_file", accessRules().toString());
    return all.entrySet().stream()
        .map(setting -> "-c '" + setting.getKey() + "=" + setting.getValue() + "'")
        .collect(Collectors.joining(" "));
  }

  private void archiveInto(Path folder) {
    try {
      execute(
          "ALTER SYSTEM SET archive_command = 'cp \"%p\" " + folder + "/%f'",
          "SELECT pg_reload_conf()");
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private void requirePasswords() throws IOException {
    Files.writeString(
        accessRules(),
        """
        host all postgres all trust
        host replication postgres all trust
        # By what the role has: SCRAM where its password is stored for that.
        host all all all md5
        """);
  }

  /** In good order, if it still can. */
  private void stop() {
    try {
      if (isRunning()) {
        programs.run(
            logFile(),
            "pg_ctl",
            "stop",
            "--pgdata=" + dataFolder(),
            "--mode=fast",
            "--wait",
            "--timeout=5");
      }
    } catch (IOException unable) {
      // It is frozen, or just dying: the next line ends it either way.
    } finally {
      killIfRunning();
    }
  }

  private void killIfRunning() {
    try {
      Optional<Postmaster> postmaster = Postmaster.in(dataFolder());
      if (postmaster.isPresent()) {
        postmaster.get().kill();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Postmaster postmaster() {
    return Postmaster.in(dataFolder())
        .orElseThrow(() -> new IllegalStateException("PostgreSQL is not running"));
  }

  Path dataFolder() {
    return folder.path().resolve("data");
  }

  private Path accessRules() {
    return folder.path().resolve("pg_hba.conf");
  }

  private Path logFile() {
    return folder.path().resolve("server.log");
  }

  /** How a server is to run. */
  public static final class Builder {
    private final Map<String, String> settings = new LinkedHashMap<>();
    private String programs = ServerPrograms.chosen();
    private Optional<BaseBackup> origin = Optional.empty();
    private Optional<Path> archive = Optional.empty();

    private Builder() {
      set("timezone", "UTC");
      set("max_connections", "300");
      set("fsync", "off");
      set("synchronous_commit", "on");
      set("listen_addresses", "127.0.0.1");
      // Everything the server makes lies in its folder, and so goes with it.
      set("unix_socket_directories", "");
      set("dynamic_shared_memory_type", "mmap");
      // Some producers commit in two phases.
      set("max_prepared_transactions", "10");
    }

    /**
     * Commits reach the disk, as in production; for figures and for {@link PostgresServer#kill}.
     */
    public Builder durable() {
      return set("fsync", "on");
    }

    /** Of this name in {@link ServerPrograms#ALL}, whatever was chosen. */
    public Builder with(String programs) {
      this.programs = programs;
      return this;
    }

    /** A line of {@code postgresql.conf}. */
    public Builder set(String setting, String value) {
      settings.put(setting, value);
      return this;
    }

    /** Keeps its whole history there, from the first start on. */
    public Builder archiveInto(Path folder) {
      archive = Optional.of(folder);
      // No restart is needed for the command itself, which has blanks in it.
      return set("archive_mode", "on");
    }

    /** Begins with these files instead of an empty server. */
    public Builder from(BaseBackup backup) {
      origin = Optional.of(backup);
      return this;
    }

    public PostgresServer start() {
      if (!programs.equals(ServerPrograms.SYSTEM) && settings.get("fsync").equals("off")) {
        // SCRAM is to be slow: a JVM that has just started hashes for longer than most tests take.
        settings.putIfAbsent("password_encryption", "md5");
      }
      PostgresServer server =
          new PostgresServer(Map.copyOf(settings), ServerPrograms.of(programs), origin);
      server.launch();
      archive.ifPresent(server::archiveInto);
      return server;
    }
  }

  private static final class Shared {
    static final PostgresServer SERVER = start();
  }
}
