package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.RdsManager;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import java.util.List;

/** A database with the tables of one recorder, {@code orders} with the lockid 1. */
public final class OneLog {
  private static final RecorderName ORDERS = new RecorderName("orders");

  private OneLog() {}

  /** What a machine that has it does first, on a session that is open. */
  public static void setUp(RdsManager manager) throws InterruptedException {
    new Setup(manager)
        .run(
            List.of(
                new Setup.Wanted(
                    1,
                    ORDERS,
                    RecorderKind.LOG,
                    PinnedLayout.of(new LogLayout("", "b", "p", ORDERS, Compression.GZIP)),
                    new Setup.Handoff(16 << 20, false))));
  }
}
