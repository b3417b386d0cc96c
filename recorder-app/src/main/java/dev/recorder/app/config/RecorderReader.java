package dev.recorder.app.config;

import static dev.recorder.app.config.RecorderSection.FAILBACK;
import static dev.recorder.app.config.RecorderSection.HISTORY;
import static dev.recorder.app.config.RecorderSection.KIND;
import static dev.recorder.app.config.RecorderSection.LOCKID;
import static dev.recorder.app.config.RecorderSection.PRIMARY;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One {@code [recorder:NAME]}. */
final class RecorderReader {
  private final String name;
  private final SectionReader reader;

  RecorderReader(String name, SectionReader reader) {
    this.name = name;
    this.reader = reader;
  }

  /**
   * @param s3 read already, since it is also told of the recorder's S3 keys
   */
  Built<RecorderSection> read(Built<S3Config> s3) {
    checkName();
    Integer lockId = reader.required(LOCKID);
    RecorderKind kind = reader.value(KIND);
    Boolean primary = primary(kind);
    Failback failback = reader.value(FAILBACK);
    Built<Feed> feed = feed();
    Built<Batching> batching = batching();
    Duration history = reader.optional(HISTORY);
    Built<RequestWork> requests = requests(kind);
    NotYetSupported.report(reader);
    reader.reportUnknownKeys();
    return () ->
        new RecorderSection(
            name,
            requireNonNull(lockId),
            kind,
            kind == RecorderKind.LOG && requireNonNull(primary),
            failback,
            feed.build(),
            batching.build(),
            history,
            requests.build(),
            s3.build());
  }

  private void checkName() {
    if (!RecorderSection.NAME.matcher(name).matches()) {
      reader.error(
          "'%s' is not a recorder name".formatted(name),
          "write [recorder:NAME] with at most 40 of a-z, 0-9 and _, a letter first");
    }
  }

  private @Nullable Boolean primary(RecorderKind kind) {
    if (kind == RecorderKind.LOG) {
      return reader.required(PRIMARY);
    }
    if (reader.has(PRIMARY)) {
      reader.error(
          PRIMARY,
          "primary means nothing with kind = requests, which every machine works on",
          "leave the key out");
    }
    return reader.optional(PRIMARY);
  }

  private Built<Feed> feed() {
    RowSource source = reader.value(Feed.SOURCE);
    boolean timer = source == RowSource.TIMER;
    Duration interval = timer ? reader.required(Feed.INTERVAL) : reader.optional(Feed.INTERVAL);
    if (!timer) {
      unused(Feed.INTERVAL, "source = timer");
    }
    return () -> new Feed(source, timer ? interval : null);
  }

  private Built<Batching> batching() {
    Duration linger = reader.value(Batching.LINGER);
    int rows = reader.value(Batching.ROTATE_ROWS);
    ByteSize bytes = reader.value(Batching.ROTATE_BYTES);
    ByteSize maxPayload = reader.value(Batching.MAX_PAYLOAD);
    Compression compression = reader.value(Batching.COMPRESSION);
    return () -> new Batching(linger, rows, bytes, maxPayload, compression);
  }

  private Built<RequestWork> requests(RecorderKind kind) {
    int workers = reader.value(RequestWork.WORKERS);
    String handler = reader.optional(RequestWork.HANDLER);
    if (kind == RecorderKind.LOG) {
      unused(RequestWork.WORKERS, "kind = requests");
      unused(RequestWork.HANDLER, "kind = requests");
    }
    return () -> new RequestWork(workers, handler);
  }

  private void unused(Setting<?> setting, String without) {
    if (reader.has(setting)) {
      reader.warning(
          setting, setting.key() + " has no effect without " + without, "leave the key out");
    }
  }
}
