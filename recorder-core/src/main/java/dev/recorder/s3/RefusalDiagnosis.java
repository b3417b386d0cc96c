package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore.RefusalCause;
import java.util.Set;

/**
 * The cause of a store's refusal, and its remedy. The first case that fits the answer applies.
 *
 * @param remedy empty if none is known
 * @param mayPass whether the same request may be accepted later
 */
record RefusalDiagnosis(String remedy, RefusalCause cause, boolean mayPass) {
  private static final Set<String> BAD_CREDENTIALS =
      Set.of("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "InvalidSecurity");

  private static final Set<String> OUTDATED_CREDENTIALS =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired");

  private static final Set<String> OTHER_REGION =
      Set.of(
          "AuthorizationHeaderMalformed",
          "PermanentRedirect",
          "IllegalLocationConstraintException");

  private static final Set<String> OF_THE_ACCOUNT =
      Set.of("AccountProblem", "AllAccessDisabled", "NotSignedUp", "UserSuspended", "InvalidPayer");

  private static final Set<String> FULL =
      Set.of("QuotaExceeded", "XMinioAdminBucketQuotaExceeded", "XMinioStorageFull");

  /** Errors with a 4xx status that a repeated request may not get. */
  private static final Set<String> PASSING =
      Set.of(
          "RequestTimeout",
          "IncompleteBody",
          "BadDigest",
          "XAmzContentSHA256Mismatch",
          "XAmzContentChecksumMismatch");

  static RefusalDiagnosis of(RefusedRequest answer) {
    String code = answer.code();
    if (answer.cure() != null || refusesAppended(answer) || demandsChecksum(answer)) {
      return setting(checksums(answer));
    } else if (code.equals("RequestTimeTooSkewed")) {
      return lasting(
          "set this host's clock, by NTP or chrony: S3 refuses a request whose time is more than 15"
              + " minutes off");
    } else if (OUTDATED_CREDENTIALS.contains(code)) {
      return rights(
          "check the AWS credentials: their token has expired; a role or a profile renews it by"
              + " itself, AWS_SESSION_TOKEN does not");
    } else if (BAD_CREDENTIALS.contains(code)) {
      return rights("check the AWS credentials");
    } else if (isElsewhere(answer)) {
      String where = answer.region().isEmpty() ? "another region" : "region " + answer.region();
      return setting("the bucket is in " + where + ": correct region or endpoint");
    } else if (code.equals("InvalidObjectState")) {
      return new RefusalDiagnosis(
          "it is archived: restore it, and let no lifecycle rule archive what is still read",
          RefusalCause.ARCHIVED,
          false);
    } else if (code.startsWith("KMS") || answer.mentions("kms:")) {
      return ofKey(answer);
    } else if (OF_THE_ACCOUNT.contains(code)) {
      return lasting("the bucket's account may not be used: ask the provider");
    } else if (FULL.contains(code) || answer.status() == 507) {
      return lasting("the bucket is full: raise its quota");
    } else if (answer.status() == 413 || code.equals("EntityTooLarge")) {
      return new RefusalDiagnosis(
          "its body has "
              + answer.request().bytes()
              + " bytes, more than the store, or a proxy on the way, takes: raise that limit",
          RefusalCause.TOO_LARGE,
          false);
    }
    return byStatus(answer);
  }

  private static RefusalDiagnosis byStatus(RefusedRequest answer) {
    boolean noStore = answer.isOfNoStore();
    return switch (answer.status()) {
      case 400, 411 ->
          PASSING.contains(answer.code())
              ? passing("")
              : noStore
                  ? setting("no store of S3 answers so: correct the endpoint, http or https")
                  : lasting("");
      case 403 -> rights(noStore ? "something in front of the store refused it" : denied(answer));
      case 404 -> setting("create the bucket, or correct its name or the endpoint");
      case 405 -> setting("this is no endpoint of S3, or one that only reads: correct endpoint");
      case 407 ->
          setting(
              "a proxy on the way wants a password: give it in HTTPS_PROXY, or let requests to the"
                  + " store pass it by, with NO_PROXY");
      case 409 ->
          answer.code().equals("InvalidBucketState")
              ? setting("the bucket's versioning or Object Lock does not allow it: correct that")
              : passing("");
      case 501 ->
          answer.mentions("encryption")
                  && answer.request().settings().objects().encryption() != null
              ? setting("this store does not know sse: leave the key out")
              : lasting(unknown(answer));
      case 502, 504 -> passing(noStore ? "something in front of the store answers for it" : "");
      default ->
          answer.status() == 408 || answer.status() == 429 || answer.status() >= 500
              ? passing("")
              : lasting("");
    };
  }

  /**
   * With a trailing checksum the header {@code x-amz-content-sha256} holds a keyword instead of a
   * hash. A store that does not know the keyword compares it with the body's hash and reports a
   * mismatch. A store that knows the keyword never reports one.
   */
  private static boolean refusesAppended(RefusedRequest answer) {
    return answer.isSentWith(Checksums.WHEN_SUPPORTED)
        && answer.code().equals("XAmzContentSHA256Mismatch");
  }

  private static boolean demandsChecksum(RefusedRequest answer) {
    return answer.isSentWith(Checksums.WHEN_REQUIRED)
        && answer.status() == 400
        && !PASSING.contains(answer.code())
        && answer.mentions("content-md5");
  }

  private static String checksums(RefusedRequest answer) {
    return answer.isSentWith(Checksums.WHEN_SUPPORTED)
        ? "this store refuses the checksums that are appended to bodies: set checksums ="
            + " when_required in [s3]"
        : "this bucket demands a checksum of each body, as Object Lock does: leave out checksums ="
            + " when_required in [s3], or set it to when_supported";
  }

  /**
   * Returns whether the bucket is in another region or at another endpoint. A redirect within the
   * right region concerns the endpoint. Any other 400 concerns neither.
   */
  private static boolean isElsewhere(RefusedRequest answer) {
    String region = answer.request().settings().region();
    boolean told =
        answer.status() == 400 && !answer.region().isEmpty() && !answer.region().equals(region);
    return told || answer.status() == 301 || OTHER_REGION.contains(answer.code());
  }

  private static RefusalDiagnosis ofKey(RefusedRequest answer) {
    if (answer.code().contains("Throttling")) {
      return passing("");
    }
    ObjectAttributes.Encryption asked = answer.request().settings().objects().encryption();
    String id = asked == null ? "" : asked.keyId();
    boolean own = !id.isEmpty();
    String key = own ? "key kms_key_id = " + id : "the key that encrypts the bucket";
    return answer.status() == 403
        ? rights("allow kms:GenerateDataKey and kms:Decrypt on " + key)
        : lasting(
            key
                + " cannot be used: enable it, or give the "
                + (own ? "file" : "bucket")
                + " another");
  }

  private static String denied(RefusedRequest answer) {
    if (!answer.isPut()) {
      return "allow " + answer.request().rights();
    }
    return (answer.mentions("explicit deny") ? "a policy denies " : "allow ")
        + answer.request().rights()
        + (answer.mentions("explicit deny")
            ? ", whatever allows it: it may demand"
            : "; where that is allowed, a policy may demand")
        + " a header that is not sent, such as one of server-side encryption: write it into [s3], as"
        + " sse, kms_key_id, tags or object_lock";
  }

  private static String unknown(RefusedRequest answer) {
    return answer.isPut()
        ? "this store does not know conditional writes: use another"
        : "this store does not know such requests: use another";
  }

  private static RefusalDiagnosis setting(String remedy) {
    return new RefusalDiagnosis(remedy, RefusalCause.SETTING, false);
  }

  private static RefusalDiagnosis rights(String remedy) {
    return new RefusalDiagnosis(remedy, RefusalCause.RIGHTS, false);
  }

  private static RefusalDiagnosis lasting(String remedy) {
    return new RefusalDiagnosis(remedy, RefusalCause.OTHER, false);
  }

  private static RefusalDiagnosis passing(String remedy) {
    return new RefusalDiagnosis(remedy, RefusalCause.OTHER, true);
  }
}
