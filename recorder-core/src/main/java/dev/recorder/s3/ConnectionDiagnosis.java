package dev.recorder.s3;

import dev.recorder.store.ObjectStore.RefusalCause;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sts.model.StsException;

/**
 * The reason why a store did not answer, with the remedy.
 *
 * @param mayPass whether a later call may be answered
 */
record ConnectionDiagnosis(String why, RefusalCause cause, boolean mayPass) {
  private static final String NO_CREDENTIALS = "Unable to load credentials";

  /** The separator between the messages of the providers in the SDK's chain. */
  private static final Pattern NEXT_PROVIDER = Pattern.compile(", (?=\\w+CredentialsProvider\\()");

  /** The message of a provider that is not configured. */
  private static final Pattern NOT_SET_UP =
      Pattern.compile(
          "must be specified|must be set|variables are set|from system settings"
              + "|no credentials for profile 'default'|have been disabled");

  static ConnectionDiagnosis of(RuntimeException failure, Duration limit) {
    if (failure instanceof ApiCallTimeoutException
        || failure instanceof ApiCallAttemptTimeoutException) {
      return passing("no answer within " + limit.toMillis() + " ms");
    } else if (failure instanceof AbortedException) {
      return passing("interrupted");
    }
    if (failure instanceof StsException refused) {
      return ofRole(refused);
    }
    String message = Objects.requireNonNullElse(failure.getMessage(), "");
    if (message.startsWith(NO_CREDENTIALS)) {
      return new ConnectionDiagnosis(credentials(message), RefusalCause.RIGHTS, true);
    }
    String remedy = ofTls(failure);
    String why = "no answer: " + root(failure);
    if (!remedy.isEmpty()) {
      return new ConnectionDiagnosis(why + "; " + remedy, RefusalCause.SETTING, false);
    }
    return isCausedBy(UnknownHostException.class, failure)
        ? passing(why + "; correct region or endpoint if no server has this name")
        : passing(why);
  }

  private static ConnectionDiagnosis passing(String why) {
    return new ConnectionDiagnosis(why, RefusalCause.OTHER, true);
  }

  /**
   * Explains a role that could not be assumed. AWS does not report whether the role's trust policy
   * or the host's own rights refuse it.
   */
  private static ConnectionDiagnosis ofRole(StsException refused) {
    AwsErrorDetails told = refused.awsErrorDetails();
    String why =
        "role_arn: the role could not be assumed: HTTP "
            + refused.statusCode()
            + (told == null ? "" : " " + told.errorCode() + " (" + told.errorMessage() + ")");
    return refused.statusCode() == 403
        ? new ConnectionDiagnosis(
            why
                + "; allow sts:AssumeRole on it to this host's credentials, and let the role's"
                + " trust policy name them, with the same external_id if it demands one",
            RefusalCause.RIGHTS,
            false)
        : refused.statusCode() < 500
            ? new ConnectionDiagnosis(why + "; correct role_arn", RefusalCause.SETTING, false)
            : passing(why);
  }

  /** Lists the configured providers and why they failed, and says what to configure. */
  private static String credentials(String message) {
    int list = message.indexOf(": [");
    String told =
        list < 0
            ? ""
            : NEXT_PROVIDER
                .splitAsStream(message.substring(list + 3).replaceFirst("]$", ""))
                .filter(member -> !NOT_SET_UP.matcher(member).find())
                .collect(Collectors.joining(", "));
    return "no AWS credentials found; give the host a role, or set AWS_ACCESS_KEY_ID and"
        + " AWS_SECRET_ACCESS_KEY, or a profile"
        + (told.isEmpty() ? "" : "; tried: " + told);
  }

  /**
   * Returns the remedy for a failure of TLS; empty for another failure, or one that may pass
   * without a remedy.
   */
  private static String ofTls(Throwable failure) {
    if (isCausedBy(CertificateExpiredException.class, failure)
        || isCausedBy(CertificateNotYetValidException.class, failure)) {
      return ""; // The certificate may be renewed soon, or the clock set.
    } else if (isCausedBy(CertPathBuilderException.class, failure)) {
      return "this JVM does not trust the store's certificate: import its authority's into a trust"
          + " store, and name that by -Djavax.net.ssl.trustStore in JAVA_TOOL_OPTIONS";
    } else if (isCausedBy(SSLPeerUnverifiedException.class, failure)) {
      return "the store's certificate is for another name: correct endpoint, or set path_style ="
          + " true if the bucket's name is what does not fit";
    } else if (isCausedBy(SSLException.class, failure)
        && root(failure).contains("Unsupported or unrecognized SSL message")) {
      return "the endpoint does not speak TLS: correct its port, or write http://";
    }
    return "";
  }

  private static boolean isCausedBy(Class<? extends Exception> kind, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }
}
