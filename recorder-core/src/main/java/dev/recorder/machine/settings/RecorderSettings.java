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
 * The settings of a log recorder on this host.
 *
 * @param election how the active host is elected; with {@link ElectionKind#REDIS} no host is
 *     primary
 * @param primary whether this host is the recorder's primary
 * @param failback whether the recorder returns to its primary automatically
 * @param linger how long rows may wait for a slot to fill
 * @param maxPayload the largest payload that the hand-off table accepts, in bytes
 * @param tickEvery interval of the timer source; null if applications hand the rows over
 * @param history how long recorded rows stay in the hand-off table; null keeps them forever
 * @param historyBlock how many bytes of rows past their history are gathered before they are
 *     cleared together
 * @param verifyEvery interval between scheduled verifications of the log; null if it is not
 *     scheduled
 * @param captures tables whose changes go to the log; others may be captured, too
 * @param table how the log is also written as a table in the bucket; null if it is not
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
  /** The default of {@code history}. */
  public static final Duration DEFAULT_HISTORY = Duration.ofDays(7);

  /** The default of {@code max_payload}. */
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

  /** Begins the settings of a log, with defaults for all but these. */
  public static Builder of(int lockId, LogLayout layout) {
    return new Builder(lockId, layout);
  }

  /** The wishes for the recorder's row in the database. */
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

  /** Builds settings; not thread-safe. */
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

    /** Default {@link ElectionKind#ADVISORY}. */
    public Builder election(ElectionKind given) {
      election = given;
      return this;
    }

    /** Default false. */
    public Builder primary(boolean given) {
      primary = given;
      return this;
    }

    /** Default automatic. */
    public Builder failback(Failback given) {
      failback = given;
      return this;
    }

    /** Default {@link Rotation#DEFAULT}. */
    public Builder rotation(Rotation given) {
      rotation = given;
      return this;
    }

    /** Default one second. */
    public Builder linger(Duration given) {
      return linger(LingerRule.of(given));
    }

    /** Default one second. */
    public Builder linger(LingerRule given) {
      linger = given;
      return this;
    }

    /** Default {@link #DEFAULT_MAX_PAYLOAD}. */
    public Builder maxPayload(long given) {
      maxPayload = given;
      return this;
    }

    /** Default null: applications hand the rows over. */
    public Builder tickEvery(@Nullable Duration given) {
      tickEvery = given;
      return this;
    }

    /** Default {@link #DEFAULT_HISTORY}, for tables that are created from now on. */
    public Builder history(@Nullable Duration given) {
      history = given;
      return this;
    }

    /** Default {@link ClearingPlan#DEFAULT_BLOCK}. */
    public Builder historyBlock(long given) {
      historyBlock = given;
      return this;
    }

    /** Default null: the log is not verified on a schedule. */
    public Builder verifyEvery(@Nullable Duration given) {
      verifyEvery = given;
      return this;
    }

    /** Default none. */
    public Builder captures(List<CaptureRule> given) {
      captures = given;
      return this;
    }

    /** Default null: no table. */
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
