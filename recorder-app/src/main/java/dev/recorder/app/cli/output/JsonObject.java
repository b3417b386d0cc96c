package dev.recorder.app.cli.output;

import java.io.Serial;
import java.time.Instant;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** A JSON object under construction. Members keep their order, and times become text. */
public final class JsonObject extends LinkedHashMap<String, @Nullable Object> {
  @Serial private static final long serialVersionUID = 1L;

  public JsonObject with(String name, @Nullable Object value) {
    put(name, value instanceof Instant ? value.toString() : value);
    return this;
  }
}
