package dev.recorder.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.time.WallClock;
import java.util.UUID;

/**
 * Makes the {@code commitInfo} of commits: information for people, and a nonce by which the sender
 * recognises its own commit.
 *
 * @param writer the host and its term
 */
record CommitInfo(String writer, WallClock clock) {

  ObjectNode create() {
    return info("WRITE", DeltaJson.object().put("mode", "ErrorIfExists"), DeltaJson.object());
  }

  ObjectNode write(TableFile file, long misfits) {
    ObjectNode metrics = DeltaJson.object();
    metrics.put("numFiles", "1");
    metrics.put("numOutputRows", Long.toString(file.rows()));
    metrics.put("numOutputBytes", Long.toString(file.size()));
    if (misfits > 0) {
      metrics.put("valuesThatDidNotFit", Long.toString(misfits));
    }
    return info("WRITE", DeltaJson.object().put("mode", "Append"), metrics);
  }

  ObjectNode skip(long from, long to) {
    return info(
        "WRITE",
        DeltaJson.object().put("mode", "Append").put("expiredSlots", from + "-" + to),
        DeltaJson.object());
  }

  ObjectNode merge(int files, TableFile into) {
    ObjectNode metrics = DeltaJson.object();
    metrics.put("numRemovedFiles", Integer.toString(files)).put("numAddedFiles", "1");
    metrics.put("numOutputRows", Long.toString(into.rows()));
    return info("OPTIMIZE", DeltaJson.object(), metrics);
  }

  private ObjectNode info(String operation, ObjectNode parameters, ObjectNode metrics) {
    ObjectNode info = DeltaJson.object();
    info.put("timestamp", clock.millis()).put("operation", operation);
    info.set("operationParameters", parameters);
    info.set("operationMetrics", metrics);
    info.put("engineInfo", "recorder").put("writer", writer);
    info.put("nonce", UUID.randomUUID().toString());
    return DeltaJson.object().set("commitInfo", info);
  }
}
