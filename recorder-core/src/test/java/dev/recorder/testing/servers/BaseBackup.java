package dev.recorder.testing.servers;

import dev.recorder.testing.TestFolder;
import dev.recorder.testing.network.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A physical copy of a running server, taken as {@code pg_basebackup} does, which the servers of
 * these tests come without. A server that begins with it is a standby of the first, or recovers
 * from its archive to a named point and goes on for itself.
 */
public final class BaseBackup implements AutoCloseable {
  private final TestFolder folder;
  private final String signal;
  private final String configuration;

  private BaseBackup(TestFolder folder, String signal, String configuration) {
    this.folder = folder;
    this.signal = signal;
    this.configuration = configuration;
  }

  /**
   * Of a server that follows {@code primary}, asynchronously, until {@code pg_promote()}.
   *
   * @param port where it reaches the primary, such as a {@link TcpProxy}'s
   */
  public static BaseBackup forStandby(PostgresServer primary, int port) throws SQLException {
    return take(
        primary,
        "standby.signal",
        "primary_conninfo = 'host=127.0.0.1 port="
            + port
            + " user=postgres application_name=standby'\n");
  }

  /** Of a server that recovers from {@code archive} to the restore point of this name. */
  public static BaseBackup forRecovery(PostgresServer server, Path archive, String restorePoint)
      throws SQLException {
    return take(
        server,
        "recovery.signal",
        "restore_command = 'cp "
            + archive
            + "/%f \"%p\"'\nrecovery_target_name = '"
            + restorePoint
            + "'\nrecovery_target_action = 'promote'\n");
  }

  private static BaseBackup take(PostgresServer server, String signal, String configuration)
      throws SQLException {
    BaseBackup backup = new BaseBackup(TestFolder.create("base-backup"), signal, configuration);
    try (Connection connection = server.connectAsSuperuser("postgres");
        Statement statement = connection.createStatement()) {
      // 15 has given them other names.
      boolean old = server.majorVersion() < 15;
      statement.execute(
          "SELECT "
              + (old ? "pg_start_backup('test', true, false)" : "pg_backup_start('test', true)"));
      DataFolders.copy(server.dataFolder(), backup.data());
      try (ResultSet row =
          statement.executeQuery(
              "SELECT labelfile FROM "
                  + (old ? "pg_stop_backup(false)" : "pg_backup_stop(false)"))) {
        row.next();
        Files.writeString(backup.data().resolve("backup_label"), row.getString(1));
      }
      return backup;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Path data() {
    return folder.path().resolve("copy");
  }

  void unpackInto(Path target) throws IOException {
    DataFolders.copy(data(), target);
    Files.copy(data().resolve("backup_label"), target.resolve("backup_label"));
    Files.createFile(target.resolve(signal));
    // Behind what the server was told itself: the last line counts.
    Files.writeString(
        target.resolve("postgresql.auto.conf"), configuration, StandardOpenOption.APPEND);
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
