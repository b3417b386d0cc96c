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
 * The settings of a recorder of requests on this host.
 *
 * @param layout the place of the documents
 * @param handler empty for a built-in one, {@code exec:/path}, or a provider's name
 * @param history how long settled requests are kept; null keeps them forever
 * @param maxPayload the largest payload that the hand-off table accepts, and the largest document
 * @param query builds whole documents, with the built-in handler; null if payloads are merged
 */
public record BackEndSettings(
    int lockId,
    DocumentLayout layout,
    String handler,
    BackEndCapacity effort,
    @Nullable Duration history,
    long maxPayload,
    @Nullable String query) {

  /** Begins settings with the required values; all others have a default. */
  public static Builder of(int lockId, DocumentLayout layout, BackEndCapacity effort) {
    return new Builder(lockId, layout, effort);
  }

  /**
   * The capacity of this host for the recorder.
   *
   * @param workers number of units processed at a time
   * @param timeLimit how long a unit may take
   * @param maxAttempts number of attempts after which a request becomes an error
   */
  public record BackEndCapacity(int workers, Duration timeLimit, int maxAttempts) {
    /**
     * The time limit of a query that builds a document; the rest of the unit's time is for the
     * store.
     */
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

  /**
   * The largest document, in bytes, into which an update may be merged; 0 if a user's handler
   * decides.
   */
  long largestDocument() {
    return handler.isEmpty() ? DocumentLimits.readableBytes(maxPayload) : 0;
  }

  /** The place of documents, for the recorder's row. */
  public static PinnedLayout pinned(DocumentLayout layout) {
    return PinnedLayout.ofDocuments(layout.endpoint(), layout.bucket(), layout.prefix());
  }

  /** The query that builds the documents; null if there is none. */
  public @Nullable EntityQuery entityQuery() {
    return query == null ? null : new EntityQuery(query, effort.ofQuery(), (int) maxPayload);
  }

  /** The wishes for the recorder's row in the database. */
  public Setup.WantedRecorder wanted() {
    return new Setup.WantedRecorder(
        lockId,
        name(),
        RecorderKind.REQUESTS,
        pinned(layout),
        new Setup.Handoff(maxPayload, false));
  }

  /** Builds settings; not thread-safe. */
  public static final class Builder {
    private final int lockId;
    private final DocumentLayout layout;
    private final BackEndCapacity effort;
    private String handler = "";
    private @Nullable Duration history;
    private long maxPayload = PayloadLimit.DEFAULT_BYTES;
    private @Nullable String query;

    private Builder(int lockId, DocumentLayout layout, BackEndCapacity effort) {
      this.lockId = lockId;
      this.layout = layout;
      this.effort = effort;
    }

    /** Default: the built-in handler. */
    public Builder handler(String given) {
      handler = given;
      return this;
    }

    /** Default null: forever. */
    public Builder history(@Nullable Duration given) {
      history = given;
      return this;
    }

    /** Default: {@link PayloadLimit#DEFAULT_BYTES}. */
    public Builder maxPayload(long given) {
      maxPayload = given;
      return this;
    }

    /** Default null: payloads are merged. */
    public Builder query(@Nullable String given) {
      query = given;
      return this;
    }

    public BackEndSettings build() {
      return new BackEndSettings(lockId, layout, handler, effort, history, maxPayload, query);
    }
  }
}
