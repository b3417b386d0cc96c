package dev.recorder.testing.servers;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * A server of buckets for tests, on a loopback port: path style, any region, requests signed with
 * {@link S3Server#ACCESS_KEY} and {@link S3Server#SECRET_KEY}.
 *
 * <p>What a test asserts about objects it reads past any proxy that is cutting connections.
 */
public interface BucketServer extends AutoCloseable {
  String S3PROXY = "s3proxy";

  int port();

  default URI endpoint() {
    return S3Server.endpoint(port());
  }

  /** Lines that the {@code [s3]} section of a recorder's file needs for this server. */
  String settings();

  /** Creates a bucket, unless it is there. */
  void createBucket(String bucket);

  /** The key of every object under {@code prefix}, in order. */
  List<String> keys(String bucket, String prefix);

  /** Every object under {@code prefix}, by key, with its body. */
  NavigableMap<String, byte[]> objects(String bucket, String prefix);

  /** One object's body. */
  byte[] read(String bucket, String key);

  /** One object's user metadata. */
  Map<String, String> metadata(String bucket, String key);

  @Override
  void close() throws IOException;

  /** The server that {@code STORE} in the environment names: s3proxy, or radosgw. */
  static BucketServer startChosen() {
    String name = chosen();
    return switch (name) {
      case S3PROXY -> S3Server.start();
      case "radosgw" -> RadosGateway.start();
      default -> throw new IllegalArgumentException("STORE is s3proxy or radosgw, not " + name);
    };
  }

  /** Whether documents may lie there: of radosgw the store test finds that none may. */
  static boolean chosenTakesDocuments() {
    return chosen().equals(S3PROXY);
  }

  private static String chosen() {
    return System.getenv().getOrDefault("STORE", S3PROXY);
  }
}
