package dev.recorder.s3;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/** AWS supplies no password. The message has the remedy, and no secrets. */
public final class NoPasswordException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** The kind of failure, which decides whether to wait. */
  public enum NoPasswordKind {
    /** No answer, or one that may differ later. */
    PASSING,
    /** Credentials or a right are missing. */
    RIGHTS,
    /** A key of the configuration, or the secret, does not fit. */
    SETTING
  }

  private final NoPasswordKind kind;

  NoPasswordException(NoPasswordKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * Makes the failure for an SDK's default chain without credentials.
   *
   * @param key the configuration key that needs credentials
   */
  static NoPasswordException withoutCredentials(String key, SdkException none) {
    return new NoPasswordException(
        NoPasswordKind.RIGHTS,
        key
            + " finds no AWS credentials: give the host a role, or AWS_ACCESS_KEY_ID"
            + " and AWS_SECRET_ACCESS_KEY: "
            + none.getMessage(),
        none);
  }

  public NoPasswordKind kind() {
    return kind;
  }
}
