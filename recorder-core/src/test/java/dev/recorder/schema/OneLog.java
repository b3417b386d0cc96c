package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.util.List;

/** The start of a machine, mostly of one that has one log, {@code orders} with the lockid 1. */
public final class OneLog {
  private OneLog() {}

  /** A new database, in which a machine that wants these has started before. */
  public static TestDatabase database(Setup.WantedRecorder... wanted) {
    try {
      return TestDatabase.prepared(
          List.of(wanted),
          () -> {
            TestDatabase made = TestDatabase.createOwned();
            setUp(TestSessions.patient(made, "setup"), wanted);
            return made;
          });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What any machine does first, on sessions like these. */
  public static List<Setup.Row> setUp(Sessions sessions, Setup.WantedRecorder... wanted) {
    try (RdsManager manager = new RdsManager(sessions)) {
      manager.connect();
      return new Setup(manager).run(List.of(wanted));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a machine wants that has a log of this name. */
  public static Setup.WantedRecorder wanted(int lockId, String name) {
    return wanted(lockId, new LogLayout("", "b", "p", new RecorderName(name), Compression.GZIP));
  }

  /** What a machine wants that has this log. */
  public static Setup.WantedRecorder wanted(int lockId, LogLayout layout) {
    return new Setup.WantedRecorder(
        lockId,
        layout.recorder(),
        RecorderKind.LOG,
        PinnedLayout.of(layout),
        new Setup.Handoff(16 << 20, false));
  }
}
