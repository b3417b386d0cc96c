package dev.recorder.requests.handlers;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The configured handler cannot be found or created; the message says what to correct. */
public final class HandlerException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  HandlerException(String message) {
    this(message, null);
  }

  HandlerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
