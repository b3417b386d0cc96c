package dev.recorder.app.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Proof;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a demo went.
 *
 * @param takeoverMillis from the kill to the successor's first settled slot
 * @param failbackGapMillis how long nobody was active when the primary took back
 */
record Result(Proof proof, long takeoverMillis, long failbackGapMillis) {

  /** The demo's last line. */
  String json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("rows_inserted", proof.rows());
    fields.put("objects", proof.objects());
    fields.put("rows_lost", proof.lost());
    fields.put("rows_duplicated", proof.duplicated());
    fields.put("rows_out_of_order", proof.outOfOrder());
    fields.put("takeover_ms", takeoverMillis);
    fields.put("failback_gap_ms", failbackGapMillis);
    try {
      return new ObjectMapper().writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
