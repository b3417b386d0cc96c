package dev.recorder.requests.worker;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.document.DocumentLimits;
import dev.recorder.schema.PayloadLimit;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.Setup;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of requests as this machine is configured to run it.
 *
 * @param layout where the documents lie
 * @param handler empty for the built-in ones, {@code exec:/path} or a provider's name
 * @param history how long settled requests are kept; null: forever
 * @param maxPayload the largest payload that the hand-off table lets in, and the largest document
 * @param query builds whole documents, with the built-in handler that does so; null for the one
 *     that merges payloads
 */
public record BackEndSettings(
    int lockId,
    DocumentLayout layout,
    String handler,
    BackEndEffort effort,
    @Nullable Duration history,
    long maxPayload,
    @Nullable String query) {

  /** Begins the settings of a recorder of requests; all but these have a default. */
  public static Builder of(int lockId, DocumentLayout layout, BackEndEffort effort) {
    return new Builder(lockId, layout, effort);
  }

  /**
   * What this machine puts into it.
   *
   * @param workers how many units it works on at a time
   * @param timeLimit how long a unit may take
   * @param maxAttempts how often a request is begun before it becomes an error
   */
  public record BackEndEffort(int workers, Duration timeLimit, int maxAttempts) {
    /** How long a query may run that builds a document; what is left is for the store. */
    Duration ofQuery() {
      return timeLimit.multipliedBy(9).dividedBy(10);
    }

    /** How long a unit waits for memory. */
    Duration patience() {
      return timeLimit.dividedBy(2);
    }
  }

  public RecorderName name() {
    return layout.recorder();
  }

  /** What an update may have to be merged into, in bytes; 0 if the handler decides. */
  long largestDocument() {
    return handler.isEmpty() ? DocumentLimits.readableBytes(maxPayload) : 0;
  }

  /** Where documents lie, for the recorder's row. */
  public static PinnedLayout pinned(DocumentLayout layout) {
    return PinnedLayout.ofDocuments(layout.endpoint(), layout.bucket(), layout.prefix());
  }

  /** What builds its documents; null if nothing does. */
  public @Nullable EntityQuery entityQuery() {
    return query == null ? null : new EntityQuery(query, effort.ofQuery(), (int) maxPayload);
  }

  /** What it wants its row in the database to say. */
  public Setup.WantedRecorder wanted() {
    return new Setup.WantedRecorder(
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
    private final BackEndEffort effort;
    private String handler = "";
    private @Nullable Duration history;
    private long maxPayload = PayloadLimit.DEFAULT_BYTES;
    private @Nullable String query;

    private Builder(int lockId, DocumentLayout layout, BackEndEffort effort) {
      this.lockId = lockId;
      this.layout = layout;
      this.effort = effort;
    }

    /** The built-in ones otherwise. */
    public Builder handler(String given) {
      handler = given;
      return this;
    }

    /** Forever otherwise. */
    public Builder history(@Nullable Duration given) {
      history = given;
      return this;
    }

    /** {@link PayloadLimit#DEFAULT_BYTES} otherwise. */
    public Builder maxPayload(long given) {
      maxPayload = given;
      return this;
    }

    /** Payloads are merged otherwise. */
    public Builder query(@Nullable String given) {
      query = given;
      return this;
    }

    public BackEndSettings build() {
      return new BackEndSettings(lockId, layout, handler, effort, history, maxPayload, query);
    }
  }
}
