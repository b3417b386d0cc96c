package dev.recorder.app.cli.requests;

import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.requests.postgres.RequestRow;

/** A request for programs, under the names of the table's columns. */
final class RequestJson {
  private RequestJson() {}

  /** All but the payload. */
  static JsonObject of(RequestRow row) {
    return new JsonObject()
        .with("id", row.id())
        .with("request_status", row.status().word())
        .with("request_type", row.type().word())
        .with("process_id", row.process())
        .with("entity_id", row.entity())
        .with("attempts", row.attempts())
        .with("deaths", row.lostAttempts())
        .with("begun_by", row.begunBy())
        .with("error_text", row.error())
        .with("not_before", row.notBefore())
        .with("created_at", row.createdAt())
        .with("settled_at", row.settledAt());
  }
}
