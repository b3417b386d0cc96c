package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Particulars;
import dev.recorder.testing.servers.S3Server;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Looks for each next object of a log, past HTTP, and notes when it is there. */
final class SlotTimes implements AutoCloseable {
  private static final long LOOK_EVERY_MILLIS = 1;
  private static final Pattern KEY = Pattern.compile("\"key\":\"(\\d+)\"");

  private final S3Server s3;
  private final String bucket;
  private final List<Long> seenAt = new ArrayList<>();
  private final Thread thread = new Thread(this::watch, "slot-times");
  private volatile boolean closed;
  private volatile int count;

  /** Of the objects from the first one on. */
  SlotTimes(S3Server s3, Cluster cluster) {
    this.s3 = s3;
    this.bucket = cluster.bucketName();
    thread.start();
  }

  private static String key(int slot) {
    return "%s/orders/%020d.ndjson.gz".formatted(Particulars.NONE.prefix(), slot);
  }

  private void watch() {
    try {
      while (!closed) {
        if (isThere(count + 1)) {
          seenAt.add(System.nanoTime());
          count = seenAt.size();
        } else {
          Thread.sleep(LOOK_EVERY_MILLIS);
        }
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  /** A listing would cost more with each object. */
  private boolean isThere(int slot) {
    try {
      return s3.metadata(bucket, key(slot)) != null;
    } catch (RuntimeException notYet) {
      return false;
    }
  }

  /** How many objects there are. */
  int count() {
    return count;
  }

  /** When object {@code slot} was seen; once this is closed. */
  long seenAt(int slot) {
    return seenAt.get(slot - 1);
  }

  /** The keys of its rows, as numbers. */
  List<Integer> rows(int slot) throws IOException {
    List<Integer> rows = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(new ByteArrayInputStream(s3.read(bucket, key(slot)))),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher key = KEY.matcher(line);
        if (key.find()) {
          rows.add(Integer.parseInt(key.group(1)));
        }
      }
    }
    return rows;
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
