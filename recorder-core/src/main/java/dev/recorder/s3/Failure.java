package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore.RefusalCause;
import dev.recorder.store.ObjectStore.Unclear;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What an operator is told when a call failed: operation, key, bucket, HTTP status, S3's error
 * code, and what to do about it.
 *
 * <p>Of the server's error document only code and message are shown. The rest may hold what was
 * signed.
 *
 * @param operation such as {@code PUT}
 * @param rights the IAM actions it needs
 */
record Failure(String operation, String rights, String key, S3Settings settings) {
  private static final Set<String> BAD_CREDENTIALS =
      Set.of(
          "InvalidAccessKeyId",
          "SignatureDoesNotMatch",
          "ExpiredToken",
          "InvalidToken",
          "TokenRefreshRequired");

  private static final String ARCHIVED = "InvalidObjectState";

  /** Answers with a status of 4xx that the same request may not get again. */
  private static final Set<String> PASSING =
      Set.of(
          "RequestTimeout",
          "IncompleteBody",
          "BadDigest",
          "XAmzContentSHA256Mismatch",
          "XAmzContentChecksumMismatch");

  /** For an answer from the server. */
  Unclear of(S3Exception answer) {
    int status = answer.statusCode();
    String code = code(answer);
    String remedy = remedy(answer);
    String said = message(answer);
    return new Unclear(
        what()
            + ": HTTP "
            + status
            + (code.isEmpty() ? "" : " " + code)
            + (said.isEmpty() ? "" : " (" + said + ")")
            + (remedy.isEmpty() ? "" : "; " + remedy),
        mayPass(status, code) && !refusesChecksums(code),
        cause(status, code));
  }

  /** For lack of an answer. */
  Unclear of(RuntimeException silence, Duration limit) {
    return new Unclear(
        what() + ": " + why(silence, limit),
        true,
        lacksCredentials(silence) ? RefusalCause.RIGHTS : RefusalCause.OTHER);
  }

  static String code(S3Exception answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return details == null ? "" : Objects.requireNonNullElse(details.errorCode(), "");
  }

  private static String message(S3Exception answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return details == null ? "" : Objects.requireNonNullElse(details.errorMessage(), "");
  }

  private String what() {
    return operation + " of " + (key.isEmpty() ? "" : key + " in ") + "bucket " + settings.bucket();
  }

  private static String why(RuntimeException silence, Duration limit) {
    if (silence instanceof ApiCallTimeoutException
        || silence instanceof ApiCallAttemptTimeoutException) {
      return "no answer within " + limit.toMillis() + " ms";
    } else if (silence instanceof AbortedException) {
      return "interrupted";
    }
    if (lacksCredentials(silence)) {
      return "no AWS credentials found; give the host a role, or set AWS_ACCESS_KEY_ID and"
          + " AWS_SECRET_ACCESS_KEY, or a profile";
    }
    return "no answer: " + root(silence);
  }

  private static boolean lacksCredentials(RuntimeException silence) {
    String message = Objects.requireNonNullElse(silence.getMessage(), "");
    return message.startsWith("Unable to load credentials");
  }

  private static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }

  private static boolean mayPass(int status, String code) {
    boolean passingClientError = status == 408 || status == 409 || status == 429;
    boolean serverError = status >= 500 && status != 501;
    return passingClientError || serverError || PASSING.contains(code);
  }

  private RefusalCause cause(int status, String code) {
    if (refusesChecksums(code)) {
      return RefusalCause.SETTING;
    } else if (code.equals(ARCHIVED)) {
      return RefusalCause.ARCHIVED;
    }
    return status == 403 || BAD_CREDENTIALS.contains(code)
        ? RefusalCause.RIGHTS
        : RefusalCause.OTHER;
  }

  /**
   * With a trailing checksum the header {@code x-amz-content-sha256} holds a word in the place of a
   * hash: a store that does not know the word compares it with the body's hash. One that does know
   * it has nothing to compare, and does not answer this.
   */
  private boolean refusesChecksums(String code) {
    return settings.checksums() == Checksums.WHEN_SUPPORTED
        && code.equals("XAmzContentSHA256Mismatch");
  }

  private String remedy(S3Exception answer) {
    int status = answer.statusCode();
    String code = code(answer);
    String elsewhere = regionOfBucket(answer);
    if (refusesChecksums(code)) {
      return "this store refuses the checksums that are appended to bodies: set checksums ="
          + " when_required in [s3]";
    } else if (code.equals("RequestTimeTooSkewed")) {
      return "set this host's clock";
    } else if (BAD_CREDENTIALS.contains(code)) {
      return "check the AWS credentials";
    } else if (elsewhere != null || code.equals("AuthorizationHeaderMalformed") || status == 301) {
      return "the bucket is in "
          + (elsewhere == null ? "another region" : "region " + elsewhere)
          + ": correct region or endpoint";
    } else if (code.equals(ARCHIVED)) {
      return "it is archived: restore it, and let no lifecycle rule archive what is still read";
    } else if (status == 403) {
      return "allow " + rights;
    } else if (status == 404) {
      return "create the bucket, or correct its name or the endpoint";
    } else if (status == 501) {
      return "this store does not know conditional writes: use another";
    }
    return "";
  }

  /** Where S3 says the bucket is, if the request went to another region; null if it did not. */
  private @Nullable String regionOfBucket(S3Exception answer) {
    int status = answer.statusCode();
    AwsErrorDetails details = answer.awsErrorDetails();
    if ((status != 301 && status != 400) || details == null || details.sdkHttpResponse() == null) {
      return null;
    }
    // A redirect from the right region is to the right endpoint; any other 400 is about neither.
    return details
        .sdkHttpResponse()
        .firstMatchingHeader("x-amz-bucket-region")
        .filter(region -> status == 301 || !region.equals(settings.region()))
        .orElse(null);
  }
}
