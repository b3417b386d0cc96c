package dev.recorder.app.cli;

import dev.recorder.requests.postgres.RequestRow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request for programs, under the names of the table's columns. */
final class RequestJson {
  private RequestJson() {}

  /** All but the payload. */
  static Map<String, @Nullable Object> of(RequestRow row) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("id", row.id());
    json.put("request_status", row.status().word());
    json.put("request_type", row.type().word());
    json.put("process_id", row.process() == null ? null : row.process().toString());
    json.put("entity_id", row.entity());
    json.put("attempts", row.attempts());
    json.put("deaths", row.deaths());
    json.put("begun_by", row.begunBy());
    json.put("error_text", row.error());
    json.put("not_before", text(row.notBefore()));
    json.put("created_at", text(row.createdAt()));
    json.put("settled_at", text(row.settledAt()));
    return json;
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
