package dev.recorder.s3;

import dev.recorder.slotlog.ObjectStore;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

public final class S3ObjectStore implements ObjectStore, AutoCloseable {
  private final S3Client client;
  private final String bucket;

  public S3ObjectStore(
      String region, String bucket, String endpoint, boolean pathStyle, Duration timeout) {
    this.bucket = bucket;
    var builder =
        S3Client.builder()
            .region(Region.of(region))
            .forcePathStyle(pathStyle)
            .httpClientBuilder(
                Apache5HttpClient.builder().maxConnections(64).socketTimeout(timeout))
            .overrideConfiguration(
                c ->
                    c.apiCallTimeout(timeout)
                        .apiCallAttemptTimeout(timeout)
                        .retryStrategy(r -> r.maxAttempts(1)));
    if (!endpoint.isEmpty()) {
      builder.endpointOverride(URI.create(endpoint));
    }
    client = builder.build();
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    try {
      client.putObject(
          b -> b.bucket(bucket).key(key).ifNoneMatch("*").metadata(metadata),
          RequestBody.fromBytes(body));
      return new Created();
    } catch (S3Exception e) {
      return e.statusCode() == 412
          ? new AlreadyThere()
          : new Unclear(String.valueOf(e.getMessage()), e.statusCode() >= 500);
    } catch (SdkException e) {
      return new Unclear(String.valueOf(e.getMessage()), true);
    }
  }

  @Override
  public HeadAnswer head(String key) {
    try {
      return new Present(client.headObject(b -> b.bucket(bucket).key(key)).metadata());
    } catch (S3Exception e) {
      return e.statusCode() == 404
          ? new Absent()
          : new Unclear(String.valueOf(e.getMessage()), e.statusCode() >= 500);
    } catch (SdkException e) {
      return new Unclear(String.valueOf(e.getMessage()), true);
    }
  }

  @Override
  public GetAnswer get(String key) {
    try {
      ResponseBytes<GetObjectResponse> bytes =
          client.getObjectAsBytes(b -> b.bucket(bucket).key(key));
      return new Body(bytes.asByteArrayUnsafe(), bytes.response().metadata());
    } catch (S3Exception e) {
      return e.statusCode() == 404
          ? new Absent()
          : new Unclear(String.valueOf(e.getMessage()), e.statusCode() >= 500);
    } catch (SdkException e) {
      return new Unclear(String.valueOf(e.getMessage()), true);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
