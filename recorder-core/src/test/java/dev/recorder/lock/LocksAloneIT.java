package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;

/** The library for locks alone: without the AWS SDK, Jedis and Jackson on the class path. */
class LocksAloneIT {
  @Test
  void aLockNeedsTheDriverAndALoggingInterfaceOnly() throws Exception {
    List<String> classPath = new ArrayList<>();
    for (Class<?> needed :
        List.of(LocksAlone.class, Lease.class, PGSimpleDataSource.class, Logger.class)) {
      classPath.add(
          Path.of(needed.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    try (TestDatabase database =
        TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE)) {
      Process alone =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  String.join(File.pathSeparator, classPath),
                  LocksAlone.class.getName(),
                  "jdbc:postgresql://127.0.0.1:"
                      + PostgresServer.shared().port()
                      + "/"
                      + database.name(),
                  TestDatabase.ROLE,
                  TestDatabase.PASSWORD)
              .redirectErrorStream(true)
              .start();

      String said = new String(alone.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(alone.waitFor()).as(said).isZero();
      assertThat(said).contains("held for ");
    }
  }
}
