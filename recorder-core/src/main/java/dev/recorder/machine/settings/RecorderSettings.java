package dev.recorder.machine.settings;

import dev.recorder.capture.CaptureRule;
import dev.recorder.clearing.ClearingPlan;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Failback;
import dev.recorder.schema.PayloadLimit;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.Setup;
import dev.recorder.slotlog.LingerRule;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.table.TableSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log recorder as this machine is configured to run it.
 *
 * @param election what decides who is active; with {@link ElectionKind#REDIS} nobody is primary
 * @param primary whether this machine is its preferred one
 * @param failback whether it goes back to its primary by itself
 * @param linger how long rows may wait for a fuller slot
 * @param maxPayload the largest payload that its hand-off table lets in, in bytes
 * @param tickEvery interval of the timer source; null if applications hand the rows over
 * @param history how long recorded rows stay in the hand-off table; null: forever
 * @param historyBlock how many bytes of rows are gathered that are not to be kept, before they are
 *     cleared away together
 * @param verifyEvery how long after one verification of the log the next is due; null if nobody
 *     verifies it on a schedule
 * @param captures tables whose changes the log should have; others may be captured, too
 * @param table how the log is a table in the bucket as well; null if it is not
 */
public record RecorderSettings(
    int lockId,
    ElectionKind election,
    boolean primary,
    Failback failback,
    LogLayout layout,
    Rotation rotation,
    LingerRule linger,
    long maxPayload,
    @Nullable Duration tickEvery,
    @Nullable Duration history,
    long historyBlock,
    @Nullable Duration verifyEvery,
    List<CaptureRule> captures,
    @Nullable TableSettings table) {
  /** What {@code history} is without configuration. */
  public static final Duration DEFAULT_HISTORY = Duration.ofDays(7);

  /** What {@code max_payload} is without configuration. */
  public static final long DEFAULT_MAX_PAYLOAD = PayloadLimit.DEFAULT_BYTES;

  public RecorderSettings {
    captures = List.copyOf(captures);
    if (lockId < 1 || lockId > 998) {
      throw new IllegalArgumentException("lockid " + lockId + " is not in 1..998");
    }
    if (historyBlock < 1) {
      throw new IllegalArgumentException("no block has " + historyBlock + " bytes");
    }
  }

  /** Settings of a log, of which all but these have a value. */
  public static Builder of(int lockId, LogLayout layout) {
    return new Builder(lockId, layout);
  }

  /** What it wants its row in the database to say. */
  Setup.WantedRecorder wanted() {
    return new Setup.WantedRecorder(
        lockId,
        name(),
        RecorderKind.LOG,
        PinnedLayout.of(layout),
        new Setup.Handoff(maxPayload, tickEvery != null));
  }

  public RecorderName name() {
    return layout.recorder();
  }

  /** Settings that are being put together; not thread-safe. */
  public static final class Builder {
    private final int lockId;
    private final LogLayout layout;
    private ElectionKind election = ElectionKind.ADVISORY;
    private boolean primary;
    private Failback failback = Failback.AUTO;
    private Rotation rotation = Rotation.DEFAULT;
    private LingerRule linger = LingerRule.DEFAULT;
    private long maxPayload = DEFAULT_MAX_PAYLOAD;
    private @Nullable Duration tickEvery;
    private @Nullable Duration history = DEFAULT_HISTORY;
    private long historyBlock = ClearingPlan.DEFAULT_BLOCK;
    private @Nullable Duration verifyEvery;
    private List<CaptureRule> captures = List.of();
    private @Nullable TableSettings table;

    private Builder(int lockId, LogLayout layout) {
      this.lockId = lockId;
      this.layout = layout;
    }

    /** By advisory lock otherwise. */
    public Builder election(ElectionKind given) {
      election = given;
      return this;
    }

    /** False otherwise. */
    public Builder primary(boolean given) {
      primary = given;
      return this;
    }

    /** By itself otherwise. */
    public Builder failback(Failback given) {
      failback = given;
      return this;
    }

    /** {@link Rotation#DEFAULT} otherwise. */
    public Builder rotation(Rotation given) {
      rotation = given;
      return this;
    }

    /** One second otherwise. */
    public Builder linger(Duration given) {
      return linger(LingerRule.of(given));
    }

    /** One second otherwise. */
    public Builder linger(LingerRule given) {
      linger = given;
      return this;
    }

    /** {@link #DEFAULT_MAX_PAYLOAD} otherwise. */
    public Builder maxPayload(long given) {
      maxPayload = given;
      return this;
    }

    /** Applications hand the rows over otherwise. */
    public Builder tickEvery(@Nullable Duration given) {
      tickEvery = given;
      return this;
    }

    /** {@link #DEFAULT_HISTORY} otherwise, for tables that are made from now on. */
    public Builder history(@Nullable Duration given) {
      history = given;
      return this;
    }

    /** {@link ClearingPlan#DEFAULT_BLOCK} otherwise. */
    public Builder historyBlock(long given) {
      historyBlock = given;
      return this;
    }

    /** Nobody verifies it on a schedule otherwise. */
    public Builder verifyEvery(@Nullable Duration given) {
      verifyEvery = given;
      return this;
    }

    /** None otherwise. */
    public Builder captures(List<CaptureRule> given) {
      captures = given;
      return this;
    }

    /** No table otherwise. */
    public Builder table(@Nullable TableSettings given) {
      table = given;
      return this;
    }

    public RecorderSettings build() {
      return new RecorderSettings(
          lockId,
          election,
          primary,
          failback,
          layout,
          rotation,
          linger,
          maxPayload,
          tickEvery,
          history,
          historyBlock,
          verifyEvery,
          captures,
          table);
    }
  }
}
