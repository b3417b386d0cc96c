package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.SlotContent;
import java.sql.Connection;
import java.sql.ResultSet;

/** How many pages it takes to settle a slot and to plan the next. */
final class SettlePages {
  private static final Snapshot NOTHING = Snapshot.parse("3:3:");

  private SettlePages() {}

  /** Of the statement that does it, run for real behind the last slot, and rolled back. */
  static long count(Connection session, Term term, long lastSlot) throws Exception {
    SlotStatements statements = new SlotStatements(SchemaNames.DEFAULT, term);
    Sql explain =
        Sql.in(
            SchemaNames.DEFAULT,
            Explained.EXPLAIN + SlotStatements.SETTLE_AND_PLAN,
            SlotStatements.PIECES);
    session.setAutoCommit(false);
    try (SqlStatement settling = explain.on(session);
        ResultSet row =
            statements
                .bindSettleAndPlan(settling, slot(lastSlot + 1), slot(lastSlot + 2))
                .query()) {
      return Explained.pages(Explained.plan(row));
    } finally {
      session.rollback();
      session.setAutoCommit(true);
    }
  }

  private static SlotContent slot(long number) {
    return new SlotContent(
        number,
        "session",
        new Window(NOTHING, NOTHING, true),
        new SlotContent.Extent(1, 3, number, 3, number),
        "sha256-of-" + number,
        new byte[0],
        100,
        false);
  }
}
