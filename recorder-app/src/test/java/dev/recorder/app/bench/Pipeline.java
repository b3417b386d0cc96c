package dev.recorder.app.bench;

import dev.recorder.s3.S3ObjectStore;
import dev.recorder.s3.S3Settings;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.S3Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * What {@code COPY (SELECT the line) TO STDOUT | gzip -1 | PUT} does with the same rows: reads,
 * compresses and sends side by side, each on a thread, and guards nothing.
 *
 * @param rows how many there were
 * @param nanos how long it took
 */
record Pipeline(long rows, long nanos) {
  private static final int ROWS_PER_OBJECT = 30_000;
  private static final int MOST_WAITING = 4;
  private static final byte[] END = new byte[0];
  private static final String LINES =
      "COPY (SELECT '{\"id\":' || id || ',\"xid\":' || xid || ',\"time\":\"' || time || '\",\"key\":'"
          + " || to_json(key) || ',\"payload\":' || payload || '}' FROM handoff.orders"
          + " ORDER BY xid, id) TO STDOUT";

  static Pipeline measure(Connection database, S3Server s3, String bucket) throws Exception {
    S3Server.knowInThisProcess();
    S3Settings settings =
        S3Settings.of(S3Server.REGION, bucket)
            .endpoint(s3.endpoint().toString())
            .pathStyle(true)
            .maxConnections(2)
            .build();
    try (S3ObjectStore store = S3ObjectStore.open(settings)) {
      return measure(database, store);
    }
  }

  private static Pipeline measure(Connection database, ObjectStore store) throws Exception {
    long start = System.nanoTime();
    BlockingQueue<byte[]> plain = new ArrayBlockingQueue<>(MOST_WAITING);
    BlockingQueue<byte[]> packed = new ArrayBlockingQueue<>(MOST_WAITING);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      Future<Long> reading = threads.submit(() -> read(database, plain));
      Future<?> packing = threads.submit(task(() -> pack(plain, packed)));
      Future<?> sending = threads.submit(task(() -> send(packed, store)));
      long rows = reading.get();
      packing.get();
      sending.get();
      return new Pipeline(rows, System.nanoTime() - start);
    } finally {
      threads.shutdownNow();
    }
  }

  double rowsPerSecond() {
    return rows * 1e9 / nanos;
  }

  private interface Stage {
    void run() throws Exception;
  }

  private static Callable<Boolean> task(Stage stage) {
    return () -> {
      stage.run();
      return true;
    };
  }

  private static long read(Connection database, BlockingQueue<byte[]> plain) throws Exception {
    CopyOut copy = database.unwrap(PGConnection.class).getCopyAPI().copyOut(LINES);
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    long rows = 0;
    for (byte[] line = copy.readFromCopy(); line != null; line = copy.readFromCopy()) {
      object.writeBytes(line);
      if (++rows % ROWS_PER_OBJECT == 0) {
        plain.put(object.toByteArray());
        object.reset();
      }
    }
    plain.put(object.toByteArray());
    plain.put(END);
    return rows;
  }

  private static void pack(BlockingQueue<byte[]> plain, BlockingQueue<byte[]> packed)
      throws InterruptedException, IOException {
    for (byte[] object = plain.take(); object != END; object = plain.take()) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      try (GZIPOutputStream compressed =
          new GZIPOutputStream(body, 16 * 1024) {
            {
              def.setLevel(Deflater.BEST_SPEED);
            }
          }) {
        compressed.write(object);
      }
      packed.put(body.toByteArray());
    }
    packed.put(END);
  }

  private static void send(BlockingQueue<byte[]> packed, ObjectStore store)
      throws InterruptedException {
    int number = 0;
    for (byte[] object = packed.take(); object != END; object = packed.take()) {
      store.putIfAbsent("pipeline/" + number++, object, Map.of());
    }
  }
}
