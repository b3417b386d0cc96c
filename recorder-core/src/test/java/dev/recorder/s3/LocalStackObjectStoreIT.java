package dev.recorder.s3;

import dev.recorder.store.DocumentStore;
import dev.recorder.testing.DocumentStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.testcontainers.containers.localstack.LocalStackContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** The contract once more on LocalStack; skipped where there is no Docker. */
@Tag("nightly")
@Testcontainers(disabledWithoutDocker = true)
class LocalStackObjectStoreIT extends DocumentStoreContract {
  /** A community image with conditional writes; later ones want an account. */
  @Container
  private static final LocalStackContainer LOCAL_STACK =
      new LocalStackContainer(DockerImageName.parse("localstack/localstack:3.8.1"))
          .withServices(LocalStackContainer.Service.S3);

  private static S3ObjectStore store;
  private static S3ObjectStore storeWithoutBucket;

  @BeforeAll
  static void createBucket() {
    try (S3Client client =
        S3Client.builder()
            .endpointOverride(LOCAL_STACK.getEndpoint())
            .region(Region.of(LOCAL_STACK.getRegion()))
            .forcePathStyle(true)
            .credentialsProvider(credentials())
            .httpClientBuilder(Apache5HttpClient.builder())
            .build()) {
      client.createBucket(bucket -> bucket.bucket("bucket"));
    }
    store = open("bucket");
    storeWithoutBucket = open("no-such-bucket");
  }

  @AfterAll
  static void close() {
    store.close();
    storeWithoutBucket.close();
  }

  @Override
  protected DocumentStore store() {
    return store;
  }

  @Override
  protected DocumentStore storeWithoutBucket() {
    return storeWithoutBucket;
  }

  private static S3ObjectStore open(String bucket) {
    return S3ObjectStore.open(
        S3Settings.of(LOCAL_STACK.getRegion(), bucket)
            .endpoint(LOCAL_STACK.getEndpoint().toString())
            .pathStyle(true)
            .build(),
        credentials());
  }

  private static StaticCredentialsProvider credentials() {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(LOCAL_STACK.getAccessKey(), LOCAL_STACK.getSecretKey()));
  }
}
