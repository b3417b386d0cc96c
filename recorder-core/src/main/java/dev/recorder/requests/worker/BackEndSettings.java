package dev.recorder.requests.worker;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.document.DocumentLimits;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.Setup;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of requests as this machine is configured to run it.
 *
 * @param workers how many units this machine works on at a time
 * @param handler empty for the built-in one, {@code exec:/path} or a provider's name
 * @param timeLimit how long a unit may take
 * @param maxAttempts how often a request is begun before it becomes an error
 * @param history how long settled requests are kept; null for ever
 * @param layout where the documents lie
 * @param maxPayload the largest payload that the hand-off table lets in, and the largest document
 */
public record BackEndSettings(
    int lockId,
    int workers,
    String handler,
    Duration timeLimit,
    int maxAttempts,
    @Nullable Duration history,
    DocumentLayout layout,
    long maxPayload) {

  /** Settings of a recorder of requests, of which all but these have a value. */
  public static Builder of(int lockId, DocumentLayout layout) {
    return new Builder(lockId, layout);
  }

  public RecorderName name() {
    return layout.recorder();
  }

  /** What an update may have to be merged into, in bytes; 0 if that is a handler's affair. */
  long largestDocument() {
    return handler.isEmpty() ? DocumentLimits.readableBytes(maxPayload) : 0;
  }

  /** Where documents lie, for the recorder's row. */
  public static PinnedLayout pinned(DocumentLayout layout) {
    return PinnedLayout.ofDocuments(layout.endpoint(), layout.bucket(), layout.prefix());
  }

  /** What it wants its row in the database to say. */
  public Setup.Wanted wanted() {
    return new Setup.Wanted(
        lockId,
        name(),
        RecorderKind.REQUESTS,
        pinned(layout),
        new Setup.Handoff(maxPayload, false));
  }

  /** Settings that are being put together; not thread-safe. */
  public static final class Builder {
    private final int lockId;
    private final DocumentLayout layout;
    private int workers = 4;
    private String handler = "";
    private Duration timeLimit = Duration.ofSeconds(60);
    private int maxAttempts = 20;
    private @Nullable Duration history;
    private long maxPayload = 16 << 20;

    private Builder(int lockId, DocumentLayout layout) {
      this.lockId = lockId;
      this.layout = layout;
    }

    /** Four otherwise. */
    public Builder workers(int given) {
      workers = given;
      return this;
    }

    /** The built-in one otherwise. */
    public Builder handler(String given) {
      handler = given;
      return this;
    }

    /** A minute otherwise. */
    public Builder timeLimit(Duration given) {
      timeLimit = given;
      return this;
    }

    /** 20 otherwise. */
    public Builder maxAttempts(int given) {
      maxAttempts = given;
      return this;
    }

    /** For ever otherwise. */
    public Builder history(@Nullable Duration given) {
      history = given;
      return this;
    }

    /** 16 MiB otherwise. */
    public Builder maxPayload(long given) {
      maxPayload = given;
      return this;
    }

    public BackEndSettings build() {
      return new BackEndSettings(
          lockId, workers, handler, timeLimit, maxAttempts, history, layout, maxPayload);
    }
  }
}
