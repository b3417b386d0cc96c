package dev.recorder.app.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a soak went.
 *
 * @param faults by kind
 * @param rows committed rows
 * @param longestOutageMillis longest time between two settled slots of a recorder
 * @param zombieWrites writes by machines whose term was over
 * @param verifyOk whether {@code recorder verify} found nothing
 * @param ok whether everything was proved
 */
record Report(
    Options options,
    Map<String, Integer> faults,
    Rows rows,
    int takeovers,
    long longestOutageMillis,
    long zombieWrites,
    boolean verifyOk,
    boolean ok)
    implements Program.Result {

  /** What became of the rows, of all recorders together. */
  record Rows(long rows, long objects, long lost, long duplicated, long outOfOrder, long foreign) {

    boolean areAllRight() {
      return lost + duplicated + outOfOrder + foreign == 0;
    }
  }

  /** The same after something was found that has no figure of its own. */
  Report withoutProof() {
    return new Report(
        options, faults, rows, takeovers, longestOutageMillis, zombieWrites, verifyOk, false);
  }

  /** The soak's last line. */
  @Override
  public String json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("minutes", options.length().toMinutes());
    fields.put("seed", options.seed());
    fields.put("faults", new TreeMap<>(faults));
    fields.put("rows", rows.rows());
    fields.put("objects", rows.objects());
    fields.put("lost", rows.lost());
    fields.put("duplicated", rows.duplicated());
    fields.put("out_of_order", rows.outOfOrder());
    fields.put("takeovers", takeovers);
    fields.put("longest_outage_ms", longestOutageMillis);
    fields.put("zombie_writes", zombieWrites);
    fields.put("verify_ok", verifyOk);
    fields.put("ok", ok);
    try {
      return new ObjectMapper().writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
