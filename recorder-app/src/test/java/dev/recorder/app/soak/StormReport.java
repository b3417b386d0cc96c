package dev.recorder.app.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a storm went.
 *
 * @param faults by kind
 * @param found what became of the requests
 * @param ok whether everything was proved
 */
record StormReport(Options options, Map<String, Integer> faults, Found found, boolean ok)
    implements Program.Result {

  /**
   * What became of the requests.
   *
   * @param requests committed ones
   * @param units of work that settled them
   * @param lost committed, and not complete or not in the document
   * @param appliedTwice settled more than once
   * @param wrongDocuments not what the requests make of them in the order of their ids
   * @param overlaps units of one entity that were at work at the same time
   * @param longestWaitMillis between a request and its settlement
   */
  record Found(
      long requests,
      long entities,
      long units,
      long lost,
      long appliedTwice,
      long wrongDocuments,
      long overlaps,
      long errors,
      long longestWaitMillis) {

    boolean isAllRight() {
      return requests > 0 && lost + appliedTwice + wrongDocuments + overlaps + errors == 0;
    }
  }

  /** The storm's last line. */
  @Override
  public String json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("minutes", Math.round(options.length().toSeconds() / 6.0) / 10.0);
    fields.put("seed", options.seed());
    fields.put("faults", new TreeMap<>(faults));
    fields.put("requests", found.requests());
    fields.put("entities", found.entities());
    fields.put("units", found.units());
    fields.put("lost", found.lost());
    fields.put("applied_twice", found.appliedTwice());
    fields.put("wrong_documents", found.wrongDocuments());
    fields.put("overlaps", found.overlaps());
    fields.put("errors", found.errors());
    fields.put("longest_wait_ms", found.longestWaitMillis());
    fields.put("ok", ok);
    try {
      return new ObjectMapper().writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
