package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.RdsManager;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import java.util.List;

/** A database with the tables of one recorder, {@code orders} with the lockid 1. */
public final class OneLog {
  private static final LogLayout ORDERS =
      new LogLayout("", "b", "p", new RecorderName("orders"), Compression.GZIP);

  private OneLog() {}

  /** What a machine that has it does first, on a session that is open. */
  public static void setUp(RdsManager manager) throws InterruptedException {
    new Setup(manager).run(List.of(wanted(1, ORDERS)));
  }

  /** What a machine wants that has this log. */
  public static Setup.Wanted wanted(int lockId, LogLayout layout) {
    return new Setup.Wanted(
        lockId,
        layout.recorder(),
        RecorderKind.LOG,
        PinnedLayout.of(layout),
        new Setup.Handoff(16 << 20, false));
  }
}
