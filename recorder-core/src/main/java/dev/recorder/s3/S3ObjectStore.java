package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.DocumentStore;
import dev.recorder.time.DatabaseTime;
import dev.recorder.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
 * A bucket of Amazon S3 or of a compatible server.
 *
 * <p>A conditional PUT is sent once, because a retry by the SDK would turn its own success into a
 * 412. Reads are retried twice. No request deletes.
 *
 * <p>Thread-safe; one store serves all recorders of a bucket. An interrupted caller gets {@link
 * Unclear} and keeps its interrupt flag. {@link #close} ends running calls.
 */
public final class S3ObjectStore implements DocumentStore, AutoCloseable {
  private static final int READ_ATTEMPTS = 3;

  private final S3Settings settings;
  private final S3Clients clients;
  private final S3Client putter;
  private final S3Client reader;
  private final Runnable afterClose;
  private final ExpectContinueSwitch expect;
  private final ChecksumProbe trial = new ChecksumProbe();
  private final DatabaseTime time;

  /** Whether an answer has shown that the bucket exists. */
  private volatile boolean bucketSeen;

  private S3ObjectStore(
      S3Settings settings,
      AwsCredentialsProvider credentials,
      DatabaseTime time,
      Runnable afterClose) {
    this.settings = settings;
    this.time = time;
    this.afterClose = afterClose;
    this.expect = new ExpectContinueSwitch(settings.bucket(), Ticker.system());
    this.clients = new S3Clients(settings, credentials, expect);
    this.putter = clients.client(settings.checksums(), DefaultRetryStrategy.doNotRetry());
    this.reader =
        clients.client(
            settings.checksums(),
            DefaultRetryStrategy.standardStrategyBuilder().maxAttempts(READ_ATTEMPTS).build());
  }

  /**
   * Makes a store with the credentials of the settings' role, or else of the SDK's default chain.
   * Does not connect.
   *
   * @param time the database's time, from which the locks of objects are counted
   */
  public static S3ObjectStore openLocking(S3Settings settings, DatabaseTime time) {
    S3Settings.AwsRole role = settings.role();
    if (role != null) {
      AssumedRole assumed = AssumedRole.of(settings, role);
      return new S3ObjectStore(settings, assumed, time, assumed::close);
    }
    DefaultCredentialsProvider chain = DefaultCredentialsProvider.builder().build();
    return new S3ObjectStore(settings, chain, time, chain::close);
  }

  /** Makes a store whose objects are not locked. */
  public static S3ObjectStore open(S3Settings settings) {
    return openLocking(settings, new DatabaseTime());
  }

  /** Makes a store with the given credentials provider, which the caller closes. */
  public static S3ObjectStore open(S3Settings settings, AwsCredentialsProvider credentials) {
    return open(settings, credentials, new DatabaseTime());
  }

  static S3ObjectStore open(
      S3Settings settings, AwsCredentialsProvider credentials, DatabaseTime time) {
    return new S3ObjectStore(settings, credentials, time, () -> {});
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    return put(key, body, put -> put.metadata(metadata).ifNoneMatch("*"), new AlreadyThere());
  }

  @Override
  public PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag) {
    return put(key, body, put -> put.metadata(metadata).ifMatch(etag), new Changed());
  }

  /** Sends one PUT; {@code refused} is the answer if its condition fails. */
  private PutAnswer put(
      String key, byte[] body, Consumer<PutObjectRequest.Builder> condition, PutAnswer refused) {
    boolean locks = settings.objects().locks(key);
    RequestFailure failure =
        new RequestFailure("PUT", rightsToPut(locks), key, body.length, settings);
    Instant now = locks ? time.now().orElse(null) : null;
    if (locks && now == null) {
      return failure.notSent("object_lock needs the database's time, which is not known yet");
    }
    try {
      putter.putObject(
          put -> {
            settings.objects().addTo(put.bucket(settings.bucket()).key(key), now);
            condition.accept(put);
          },
          RequestBody.fromContentProvider(expect.watched(body), body.length, contentType(key)));
      bucketSeen = true;
      return new Created();
    } catch (S3Exception answer) {
      // S3 answers 404 to an If-Match on a deleted key, and also if the bucket is missing.
      boolean gone = RefusedRequest.code(answer).equals("NoSuchKey") && refused instanceof Changed;
      if (answer.statusCode() != 412 && !gone) {
        return failure.refused(answer, cure(failure, answer));
      }
      bucketSeen = true;
      return refused;
    } catch (SdkException | IllegalStateException | RejectedExecutionException silence) {
      return noAnswer(failure, silence);
    }
  }

  private String rightsToPut(boolean locks) {
    return "s3:PutObject"
        + (settings.objects().tags().isEmpty() ? "" : ", s3:PutObjectTagging")
        + (locks ? ", s3:PutObjectRetention" : "");
  }

  /**
   * Returns the checksum mode that the store accepts, if it refuses the present one; null
   * otherwise.
   */
  private @Nullable Checksums cure(RequestFailure failure, S3Exception answer) {
    return RefusedRequest.to(failure, answer, null).mayBeAboutChecksums()
        ? trial.cure(failure.key(), settings.checksums(), (key, mode) -> trySending(key, mode, "*"))
        : null;
  }

  @Override
  public Optional<Boolean> refusesUnconditional(String folder) {
    String key = folder + TEST_FOLDER + UUID.randomUUID() + "-unconditional";
    return switch (trySending(key, settings.checksums(), null)) {
      case 200 -> Optional.of(false);
      // If a PUT with the condition is refused, too, the policy has another reason.
      case 403 ->
          trySending(key, settings.checksums(), "*") == 200 ? Optional.of(true) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * Sends a small object, and returns the HTTP status; 0 for no answer. A null {@code ifNoneMatch}
   * sends no condition.
   */
  private int trySending(String key, Checksums mode, @Nullable String ifNoneMatch) {
    byte[] body = key.getBytes(StandardCharsets.UTF_8);
    try (S3Client client = clients.client(mode, DefaultRetryStrategy.doNotRetry())) {
      client.putObject(
          put -> {
            settings.objects().addTo(put.bucket(settings.bucket()).key(key), null);
            put.ifNoneMatch(ifNoneMatch);
          },
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
    // Without s3:ListBucket the answer for an absent key is 403 instead of 404.
    RequestFailure failure = failure("HEAD", "s3:GetObject, and s3:ListBucket on the bucket", key);
    try {
      Map<String, String> metadata =
          reader.headObject(head -> head.bucket(settings.bucket()).key(key)).metadata();
      bucketSeen = true;
      return new Present(metadata);
    } catch (S3Exception answer) {
      // The answer to a HEAD has no body, and so no error code that shows whether key or bucket is
      // missing.
      if (answer.statusCode() == 404) {
        Unclear why = bucketMissing();
        return why == null ? new Absent() : why;
      }
      return answer.statusCode() == 403
          ? forbidden(key, failure.of(answer), answer)
          : failure.of(answer);
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
    return (GetAnswer) answer; // the other three answers implement both
  }

  @Override
  public FetchAnswer fetch(String key, LongPredicate mayRead) {
    RequestFailure failure = failure("GET", "s3:GetObject, and s3:ListBucket on the bucket", key);
    try {
      FetchAnswer answer =
          reader.getObject(
              get -> get.bucket(settings.bucket()).key(key), new SizeLimitedBody(mayRead));
      bucketSeen = true;
      return answer;
    } catch (S3Exception answer) {
      return RefusedRequest.code(answer).equals("NoSuchKey") ? new Absent() : failure.of(answer);
    } catch (SdkException | IllegalStateException | RejectedExecutionException silence) {
      return noAnswer(failure, silence);
    }
  }

  /** Explains a 403 by a LIST, whose answer shows whether listing is allowed, or another error. */
  private Unclear forbidden(String key, Unclear usual, S3Exception answer) {
    try {
      reader.listObjectsV2(list -> list.bucket(settings.bucket()).prefix(key).maxKeys(1));
      return failure("HEAD", "s3:GetObject", key).of(answer);
    } catch (S3Exception why) {
      String code = RefusedRequest.code(why);
      boolean isRefused = why.statusCode() == 400 || why.statusCode() == 403;
      boolean saysMore = isRefused && !code.isEmpty() && !code.equals("AccessDenied");
      return saysMore ? failure("HEAD", "s3:ListBucket", key).of(why) : usual;
    } catch (SdkException | IllegalStateException | RejectedExecutionException unknown) {
      return usual;
    }
  }

  @Override
  public List<String> expiringRules(String folder) {
    return LifecycleRules.expiring(rules(), folder, settings.objects().tags());
  }

  @Override
  public List<String> archivingRules(String folder) {
    return LifecycleRules.archiving(rules(), folder, settings.objects().tags());
  }

  private List<LifecycleRule> rules() {
    try {
      return reader.getBucketLifecycleConfiguration(get -> get.bucket(settings.bucket())).rules();
    } catch (SdkException | IllegalStateException | RejectedExecutionException notTold) {
      // There are no rules, or s3:GetLifecycleConfiguration is not allowed, which is optional.
      return List.of();
    }
  }

  /** Checks once whether the bucket exists; null if it does. */
  private @Nullable Unclear bucketMissing() {
    if (bucketSeen) {
      return null;
    }
    RequestFailure failure = failure("HEAD", "s3:ListBucket on the bucket", "");
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

  private RequestFailure failure(String operation, String rights, String key) {
    return new RequestFailure(operation, rights, key, 0, settings);
  }

  /**
   * Makes the failure for a call without an answer. The SDK's pools throw exceptions of their own
   * when they are closed.
   */
  private Unclear noAnswer(RequestFailure failure, RuntimeException silence) {
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
