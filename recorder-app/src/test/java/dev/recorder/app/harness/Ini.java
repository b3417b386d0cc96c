package dev.recorder.app.harness;

import dev.recorder.testing.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The configuration of a cluster's hosts; it differs in name, preference, way to the database and
 * {@link Particulars}.
 */
record Ini(TestDatabase database, URI s3, String bucket, String linger) {

  Path write(
      Path folder,
      String file,
      String machine,
      boolean primary,
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
        password = %s

        [s3]
        bucket = %s
        prefix = %s
        endpoint = %s

        [timing]
        %s

        [recorder:%s]
        lockid = %d
        primary = %s
        linger = %s
        """
            .formatted(
                machine,
                databasePort,
                database.name(),
                TestDatabase.ROLE,
                TestDatabase.PASSWORD,
                bucket,
                particulars.prefix(),
                s3,
                particulars.timing(),
                Cluster.RECORDER,
                Cluster.LOCK_ID,
                primary,
                linger);
    try {
      Path ini = Files.writeString(folder.resolve(file + ".ini"), text);
      // It holds a password.
      return Files.setPosixFilePermissions(ini, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
