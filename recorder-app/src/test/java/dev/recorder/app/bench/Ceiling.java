package dev.recorder.app.bench;

import dev.recorder.s3.S3ObjectStore;
import dev.recorder.s3.S3Settings;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.S3Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * The rows of a hand-off table read in order, compressed, hashed and PUT by one thread, object by
 * object: what no recorder of that kind can exceed by much.
 *
 * @param rows how many there were
 * @param nanos how long it took
 */
record Ceiling(long rows, long nanos) {
  private static final int ROWS_PER_OBJECT = 30_000;

  static Ceiling measure(Connection database, S3Server s3, String bucket) throws Exception {
    long start = System.nanoTime();
    long rows = 0;
    database.setAutoCommit(false);
    System.setProperty("aws.accessKeyId", S3Server.ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", S3Server.SECRET_KEY);
    S3Settings settings =
        new S3Settings(
            S3Server.REGION,
            bucket,
            s3.endpoint().toString(),
            true,
            Duration.ofSeconds(30),
            S3Settings.Checksums.WHEN_SUPPORTED,
            2);
    try (S3ObjectStore store = S3ObjectStore.open(settings);
        Statement statement = database.createStatement()) {
      statement.setFetchSize(5_000);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT id, xid::text, time::text, key, payload::text FROM handoff.orders"
                  + " ORDER BY xid, id")) {
        Part part = new Part();
        while (row.next()) {
          part.add(row);
          if (++rows % ROWS_PER_OBJECT == 0) {
            part.put(store, "ceiling/" + rows);
            part = new Part();
          }
        }
        part.put(store, "ceiling/last");
      }
    } finally {
      database.rollback();
      database.setAutoCommit(true);
    }
    return new Ceiling(rows, System.nanoTime() - start);
  }

  double rowsPerSecond() {
    return rows * 1e9 / nanos;
  }

  /** One object in the making. */
  private static final class Part {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final GZIPOutputStream compressed;
    private final MessageDigest digest;

    Part() throws Exception {
      compressed =
          new GZIPOutputStream(body) {
            {
              def.setLevel(1);
            }
          };
      digest = MessageDigest.getInstance("SHA-256");
    }

    void add(ResultSet row) throws Exception {
      String line =
          "{\"id\":"
              + row.getString(1)
              + ",\"xid\":"
              + row.getString(2)
              + ",\"time\":\""
              + row.getString(3)
              + "\",\"key\":\""
              + row.getString(4)
              + "\",\"payload\":"
              + row.getString(5)
              + "}\n";
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      digest.update(bytes);
      compressed.write(bytes);
    }

    void put(ObjectStore store, String key) throws IOException {
      compressed.close();
      store.putIfAbsent(key, body.toByteArray(), Map.of());
    }
  }
}
