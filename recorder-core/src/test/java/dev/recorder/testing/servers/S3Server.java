package dev.recorder.testing.servers;

import dev.recorder.testing.AtExit;
import dev.recorder.testing.AtomicReplacement;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.network.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * An S3 server in this JVM on a random loopback port, its objects in a temporary folder. Path
 * style, any region, and requests signed with {@link #ACCESS_KEY} and {@link #SECRET_KEY}.
 *
 * <p>S3Proxy on its file system: of the servers that run without Docker the only one that lets
 * exactly one of many racing conditional PUTs win.
 *
 * <p>What a test asserts about objects it reads directly from the folder, past HTTP and past any
 * proxy that is cutting connections.
 */
public final class S3Server implements BucketServer {
  public static final String ACCESS_KEY = "test-access-key";
  public static final String SECRET_KEY = "test-secret-key";
  public static final String REGION = "eu-central-1";

  private final TestFolder folder;
  private final BlobStore blobs;
  private final S3Proxy server;

  private S3Server(AuthenticationType authentication) throws IOException {
    folder = TestFolder.create("s3");
    Path objects = Files.createDirectory(folder.path().resolve("objects"));
    blobs = new AtomicReplacement(new FilesystemNio2BlobStore(objects.toString()));
    server =
        S3Proxy.builder()
            .blobStore(blobs)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(authentication, ACCESS_KEY, SECRET_KEY)
            .ignoreUnknownHeaders(true) // Those of encryption and locks are for the wire only.
            .build();
    AtExit.register(this);
  }

  public static S3Server start() {
    return start(AuthenticationType.AWS_V2_OR_V4);
  }

  /** A server that checks no signature, so that a tap may change what it forwards. */
  public static S3Server startTrusting() {
    return start(AuthenticationType.NONE);
  }

  private static S3Server start(AuthenticationType authentication) {
    try {
      S3Server started = new S3Server(authentication);
      started.server.start();
      return started;
    } catch (Exception failed) {
      throw new IllegalStateException("the S3 server did not start", failed);
    }
  }

  @Override
  public int port() {
    return server.getPort();
  }

  @Override
  public String settings() {
    return "";
  }

  /** The same by way of another port, such as a {@link TcpProxy}'s or an {@link HttpTap}'s. */
  public static URI endpoint(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Environment with which a process's default credentials chain finds the test's keys. */
  public static Map<String, String> environment() {
    return Map.of("AWS_ACCESS_KEY_ID", ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", SECRET_KEY);
  }

  /** From now on the default credentials chain of this process finds the test's keys. */
  public static void knowInThisProcess() {
    System.setProperty("aws.accessKeyId", ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", SECRET_KEY);
  }

  @Override
  public void createBucket(String bucket) {
    blobs.createContainer(bucket);
  }

  @Override
  public NavigableMap<String, byte[]> objects(String bucket, String prefix) {
    NavigableMap<String, byte[]> bodies = new TreeMap<>();
    for (String key : keys(bucket, prefix)) {
      try {
        bodies.put(key, read(bucket, key));
      } catch (NoSuchKeyException gone) {
        // A PUT that was in progress is done, or an object of the store test was removed.
      }
    }
    return bodies;
  }

  /**
   * The key of every object under {@code prefix}, in order.
   *
   * <p>While PUTs are in progress each has an object of its own, {@code key-<uuid>}, which is gone
   * when it is done.
   */
  @Override
  public List<String> keys(String bucket, String prefix) {
    List<String> keys = new ArrayList<>();
    String token = null;
    do {
      ListObjectsV2Response page =
          blobs.list(
              ListObjectsV2Request.builder()
                  .bucket(bucket)
                  .prefix(prefix)
                  .continuationToken(token)
                  .build());
      page.contents().stream().map(S3Object::key).forEach(keys::add);
      token = page.nextContinuationToken();
    } while (token != null);
    return keys;
  }

  @Override
  public byte[] read(String bucket, String key) {
    try (ResponseInputStream<GetObjectResponse> body = blobs.getBlob(bucket, key)) {
      return body.readAllBytes();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public Map<String, String> metadata(String bucket, String key) {
    return blobs.blobMetadata(bucket, key).metadata();
  }

  /** Removes one object: what the product never does, and a test of that case has to. */
  public void delete(String bucket, String key) {
    blobs.removeBlob(bucket, key);
  }

  @Override
  public void close() throws IOException {
    AtExit.forget(this);
    try {
      server.stop();
    } catch (Exception failed) {
      throw new IOException("the S3 server did not stop", failed);
    } finally {
      blobs.close();
      folder.close();
    }
  }

  @Override
  public String toString() {
    return "S3 server on port " + port();
  }
}
