package dev.recorder.app.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a soak or a storm went.
 *
 * @param faults that befell something, by kind
 * @param figures what was found, by name, in the order of the last line
 * @param ok whether everything was proved
 */
public record Report(
    Options options, Map<String, Integer> faults, Map<String, Object> figures, boolean ok) {

  /** The same after something was found that has no figure of its own. */
  Report withoutProof() {
    return new Report(options, faults, figures, false);
  }

  /** The last line. */
  public String json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("minutes", minutes());
    fields.put("seed", options.seed());
    fields.put("faults", new TreeMap<>(faults));
    fields.putAll(figures);
    fields.put("ok", ok);
    try {
      return new ObjectMapper().writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whole, but for the test that runs less than one. */
  private Number minutes() {
    long seconds = options.length().toSeconds();
    if (seconds % 60 == 0) {
      return seconds / 60;
    }
    return Math.round(seconds / 6.0) / 10.0;
  }
}
