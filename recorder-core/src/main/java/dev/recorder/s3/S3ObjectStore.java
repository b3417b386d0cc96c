package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.DocumentStore;
import dev.recorder.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A bucket of Amazon S3, or of a server that speaks its language.
 *
 * <p>A conditional PUT is sent once: the SDK would repeat its own successful PUT into a 412. Reads
 * are repeated, a little. Nothing here deletes, and no request does either.
 *
 * <p>Thread-safe; one for all recorders that share a bucket. An interrupted caller gets {@link
 * Unclear} and keeps its interrupt flag. {@link #close} ends the calls that are under way.
 */
public final class S3ObjectStore implements DocumentStore, AutoCloseable {
  private static final int READ_ATTEMPTS = 3;

  private final S3Settings settings;
  private final S3Clients clients;
  private final S3Client putter;
  private final S3Client reader;
  private final Runnable afterClose;
  private final ExpectSwitch expect;
  private final ChecksumTrial trial = new ChecksumTrial();

  /** Whether an answer has shown that the bucket exists. */
  private volatile boolean bucketSeen;

  private S3ObjectStore(
      S3Settings settings, AwsCredentialsProvider credentials, Runnable afterClose) {
    this.settings = settings;
    this.afterClose = afterClose;
    this.expect = new ExpectSwitch(settings.bucket(), Ticker.system());
    this.clients = new S3Clients(settings, credentials, expect);
    this.putter = clients.client(settings.checksums(), DefaultRetryStrategy.doNotRetry());
    this.reader =
        clients.client(
            settings.checksums(),
            DefaultRetryStrategy.standardStrategyBuilder().maxAttempts(READ_ATTEMPTS).build());
  }

  /** A store with the credentials of the SDK's default chain. Does not connect yet. */
  public static S3ObjectStore open(S3Settings settings) {
    DefaultCredentialsProvider chain = DefaultCredentialsProvider.builder().build();
    return new S3ObjectStore(settings, chain, chain::close);
  }

  /** A store with given credentials, which stay the caller's to close. */
  public static S3ObjectStore open(S3Settings settings, AwsCredentialsProvider credentials) {
    return new S3ObjectStore(settings, credentials, () -> {});
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    return put(key, body, put -> put.metadata(metadata).ifNoneMatch("*"), new AlreadyThere());
  }

  @Override
  public PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag) {
    return put(key, body, put -> put.metadata(metadata).ifMatch(etag), new Changed());
  }

  /** Sends one PUT; {@code refused} is the answer if its condition does not hold. */
  private PutAnswer put(
      String key, byte[] body, Consumer<PutObjectRequest.Builder> condition, PutAnswer refused) {
    Failure failure = new Failure("PUT", "s3:PutObject", key, body.length, settings);
    try {
      putter.putObject(
          put -> condition.accept(put.bucket(settings.bucket()).key(key)),
          RequestBody.fromContentProvider(expect.watched(body), body.length, contentType(key)));
      bucketSeen = true;
      return new Created();
    } catch (S3Exception answer) {
      // An If-Match on a key that is gone is answered with 404; so is a bucket that is not there.
      boolean gone = StoreAnswer.code(answer).equals("NoSuchKey") && refused instanceof Changed;
      if (answer.statusCode() != 412 && !gone) {
        return failure.refused(answer, cure(failure, answer));
      }
      bucketSeen = true;
      return refused;
    } catch (SdkException | IllegalStateException | RejectedExecutionException silence) {
      return noAnswer(failure, silence);
    }
  }

  /** The mode of checksums that the store takes, if the present one is what it refuses. */
  private @Nullable Checksums cure(Failure failure, S3Exception answer) {
    return StoreAnswer.to(failure, answer, null).mayBeAboutChecksums()
        ? trial.cure(failure.key(), settings.checksums(), this::trySending)
        : null;
  }

  private int trySending(String key, Checksums mode) {
    byte[] body = key.getBytes(StandardCharsets.UTF_8);
    try (S3Client client = clients.client(mode, DefaultRetryStrategy.doNotRetry())) {
      client.putObject(
          put -> put.bucket(settings.bucket()).key(key).ifNoneMatch("*"),
          RequestBody.fromBytes(body));
      return 200;
    } catch (S3Exception answer) {
      return answer.statusCode();
    } catch (SdkException | IllegalStateException | RejectedExecutionException silence) {
      return 0;
    }
  }

  private static String contentType(String key) {
    return key.endsWith(".json") ? "application/json" : "application/octet-stream";
  }

  @Override
  public HeadAnswer head(String key) {
    // Without ListBucket the answer about an absent key is 403 instead of 404.
    Failure failure = failure("HEAD", "s3:GetObject, and s3:ListBucket on the bucket", key);
    try {
      Map<String, String> metadata =
          reader.headObject(head -> head.bucket(settings.bucket()).key(key)).metadata();
      bucketSeen = true;
      return new Present(metadata);
    } catch (S3Exception answer) {
      // The answer to a HEAD has no body, and so no code that tells what is missing.
      if (answer.statusCode() == 404) {
        Unclear why = bucketMissing();
        return why == null ? new Absent() : why;
      }
      boolean mayList = answer.statusCode() == 403 && mayList();
      return (mayList ? failure("HEAD", "s3:GetObject", key) : failure).of(answer);
    } catch (SdkException | IllegalStateException | RejectedExecutionException silence) {
      return noAnswer(failure, silence);
    }
  }

  @Override
  public GetAnswer get(String key) {
    return get(key, Long.MAX_VALUE);
  }

  @Override
  public GetAnswer get(String key, long most) {
    FetchAnswer answer = fetch(key, bytes -> bytes <= most);
    if (answer instanceof Fetched object) {
      return new Body(object.bytes(), object.metadata());
    }
    return (GetAnswer) answer; // the other three are both
  }

  @Override
  public FetchAnswer fetch(String key, LongPredicate mayRead) {
    Failure failure = failure("GET", "s3:GetObject, and s3:ListBucket on the bucket", key);
    try {
      FetchAnswer answer =
          reader.getObject(get -> get.bucket(settings.bucket()).key(key), new AllowedBody(mayRead));
      bucketSeen = true;
      return answer;
    } catch (S3Exception answer) {
      return StoreAnswer.code(answer).equals("NoSuchKey") ? new Absent() : failure.of(answer);
    } catch (SdkException | IllegalStateException | RejectedExecutionException silence) {
      return noAnswer(failure, silence);
    }
  }

  /** Whether ListBucket is not what is missing where a HEAD was forbidden. */
  private boolean mayList() {
    try {
      reader.headBucket(head -> head.bucket(settings.bucket()));
      return true;
    } catch (SdkException | IllegalStateException | RejectedExecutionException unknown) {
      return false;
    }
  }

  @Override
  public List<String> expiringRules(String folder) {
    return LifecycleRules.expiring(rules(), folder);
  }

  @Override
  public List<String> archivingRules(String folder) {
    return LifecycleRules.archiving(rules(), folder);
  }

  private List<LifecycleRule> rules() {
    try {
      return reader.getBucketLifecycleConfiguration(get -> get.bucket(settings.bucket())).rules();
    } catch (SdkException | IllegalStateException | RejectedExecutionException notTold) {
      // Mostly there are none, or s3:GetLifecycleConfiguration is not allowed, which it need not
      // be.
      return List.of();
    }
  }

  /** Looks, once, whether there is a bucket at all; null if there is. */
  private @Nullable Unclear bucketMissing() {
    if (bucketSeen) {
      return null;
    }
    Failure failure = failure("HEAD", "s3:ListBucket on the bucket", "");
    try {
      reader.headBucket(head -> head.bucket(settings.bucket()));
      bucketSeen = true;
      return null;
    } catch (S3Exception answer) {
      return failure.of(answer);
    } catch (SdkException | IllegalStateException | RejectedExecutionException silence) {
      return noAnswer(failure, silence);
    }
  }

  private Failure failure(String operation, String rights, String key) {
    return new Failure(operation, rights, key, 0, settings);
  }

  /**
   * For lack of an answer; the SDK's pools say with exceptions of their own that they are closed.
   */
  private Unclear noAnswer(Failure failure, RuntimeException silence) {
    return failure.of(silence, settings.attemptTimeout());
  }

  @Override
  public void close() {
    putter.close();
    reader.close();
    clients.close();
    afterClose.run();
  }

  @Override
  public String toString() {
    return "bucket " + settings.bucket();
  }
}
