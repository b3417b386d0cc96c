package dev.recorder.producer;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row for a log.
 *
 * @param key up to 8,192 bytes of UTF-8, or null
 * @param payload JSON, up to the recorder's {@code max_payload}
 */
public record NewRow(@Nullable String key, String payload) {
  public NewRow {
    Objects.requireNonNull(payload, "payload");
  }
}
