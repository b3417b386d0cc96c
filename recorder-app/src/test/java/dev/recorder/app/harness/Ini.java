package dev.recorder.app.harness;

import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The configuration of a cluster's hosts; it differs in name, preference, way to the database and
 * {@link Particulars}.
 */
record Ini(TestDatabase database, Store store, Cluster.Recording recording) {

  /**
   * Where objects go.
   *
   * @param settings further lines of the section {@code [s3]}
   */
  record Store(URI endpoint, String bucket, String settings) {}

  /**
   * @param primaryFor recorders that prefer this machine
   */
  Path write(
      Path folder,
      String file,
      String machine,
      Set<String> primaryFor,
      int databasePort,
      Particulars particulars) {
    String text =
        """
        [machine]
        name = %s

        [postgredb]
        endpoint = 127.0.0.1
        port = %d
        database = %s
        user = %s
        known_as = server
        password = %s

        [s3]
        bucket = %s
        prefix = %s
        endpoint = %s
        %s

        [timing]
        %s

        """
            .formatted(
                machine,
                databasePort,
                database.name(),
                TestDatabase.ROLE,
                TestDatabase.PASSWORD,
                store.bucket(),
                particulars.prefix(),
                store.endpoint(),
                store.settings(),
                particulars.timing());
    StringBuilder whole = new StringBuilder(text);
    for (String recorder : recording.recorders()) {
      whole.append(section(recorder, primaryFor.contains(recorder)));
    }
    whole.append(recording.requests());
    try {
      Path next = Files.writeString(folder.resolve(file + ".ini.new"), whole);
      // It holds a password.
      Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
      // A host may read it just now.
      return Files.move(next, folder.resolve(file + ".ini"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String section(String recorder, boolean primary) {
    return """
    [recorder:%s]
    lockid = %d
    primary = %s
    linger = %s
    compression = %s
    %s

    """
        .formatted(
            recorder,
            recording.lockId(recorder),
            primary,
            recording.linger(),
            recording.compression(),
            recording.more().getOrDefault(recorder, ""));
  }
}
