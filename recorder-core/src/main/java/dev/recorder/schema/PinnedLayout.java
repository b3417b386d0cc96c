package dev.recorder.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.StoreLocation;

/**
 * The place of a log or of a recorder's documents, as stored in the recorder's row when the row was
 * created.
 *
 * @param endpoint S3 endpoint, empty for the region's own
 */
public record PinnedLayout(
    String endpoint, String bucket, String prefix, String format, String compression) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NDJSON = "ndjson";

  public static PinnedLayout of(LogLayout layout) {
    return new PinnedLayout(
        layout.endpoint(),
        layout.bucket(),
        layout.prefix(),
        NDJSON,
        layout.compression().toString());
  }

  /** Returns the layout of documents, which are plain JSON. */
  public static PinnedLayout ofDocuments(String endpoint, String bucket, String prefix) {
    return new PinnedLayout(endpoint, bucket, prefix, "json", "none");
  }

  public StoreLocation place() {
    return new StoreLocation(endpoint, bucket);
  }

  public LogLayout of(RecorderName recorder) {
    return new LogLayout(endpoint, bucket, prefix, recorder, Compression.named(compression));
  }

  String json() {
    return JSON.valueToTree(this).toString();
  }

  /** Returns the place as text for messages. */
  @Override
  public String toString() {
    return json();
  }

  /** The inverse of {@link #json()}. */
  public static PinnedLayout parse(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      return new PinnedLayout(
          node.path("endpoint").asText(),
          node.path("bucket").asText(),
          node.path("prefix").asText(),
          node.path("format").asText(),
          node.path("compression").asText());
    } catch (JsonProcessingException e) {
      throw new DatabaseException(
          DatabaseErrorKind.UNUSABLE, "a recorder's row has a layout that is not JSON", e);
    }
  }
}
