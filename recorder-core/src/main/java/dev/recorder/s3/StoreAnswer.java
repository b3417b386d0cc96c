package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What a store said to a request, and what is known of the request: all that {@link Refusal} judges
 * by.
 *
 * @param operation such as {@code PUT}
 * @param rights the IAM actions it needs
 * @param bytes length of its body
 * @param code S3's word for the error; empty if there is none, as in an answer to HEAD, and in one
 *     of something else than a store
 * @param said S3's sentence about it
 * @param region where the bucket is, if that is told; empty otherwise
 * @param checksums whether its body had a checksum that the store did not ask for
 * @param cure the other mode, if a request like this one was taken with it and refused without
 */
record StoreAnswer(
    String operation,
    String rights,
    long bytes,
    int status,
    String code,
    String said,
    String region,
    Checksums checksums,
    @Nullable Checksums cure) {

  static StoreAnswer to(Failure request, S3Exception answer, @Nullable Checksums cure) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return new StoreAnswer(
        request.operation(),
        request.rights(),
        request.bytes(),
        answer.statusCode(),
        code(answer),
        details == null ? "" : Objects.requireNonNullElse(details.errorMessage(), ""),
        region(details),
        request.settings().checksums(),
        cure);
  }

  static String code(S3Exception answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return details == null ? "" : Objects.requireNonNullElse(details.errorCode(), "");
  }

  private static String region(@Nullable AwsErrorDetails details) {
    return Optional.ofNullable(details)
        .map(AwsErrorDetails::sdkHttpResponse)
        .flatMap(http -> http.firstMatchingHeader("x-amz-bucket-region"))
        .orElse("");
  }

  boolean isPut() {
    return operation.equals("PUT");
  }

  boolean mentions(String words) {
    return said.toLowerCase(Locale.ROOT).contains(words);
  }

  /** Something that is no store answers in its own words, if it has any. */
  boolean isOfNoStore() {
    return code.isEmpty() && !operation.equals("HEAD");
  }

  /**
   * Whether it may be the checksum that was refused, or the lack of one. What has a meaning of its
   * own is not asked about.
   */
  boolean mayBeAboutChecksums() {
    boolean unspecific =
        code.isEmpty()
            || code.equals("InvalidArgument")
            || code.equals("InvalidRequest")
            || code.equals("NotImplemented")
            || code.startsWith("MissingContent")
            || code.startsWith("Bad");
    return isPut() && unspecific && (status == 400 || status == 411 || status == 501);
  }
}
