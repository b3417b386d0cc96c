package dev.recorder.app.cli.output;

import java.io.Serial;
import java.time.Instant;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** An object of JSON while it is put together: its members in order, times as text. */
public final class JsonObject extends LinkedHashMap<String, @Nullable Object> {
  @Serial private static final long serialVersionUID = 1L;

  public JsonObject with(String name, @Nullable Object value) {
    put(name, value instanceof Instant ? value.toString() : value);
    return this;
  }
}
