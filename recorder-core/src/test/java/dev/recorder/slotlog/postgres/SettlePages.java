package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.testing.Origins;
import java.sql.Connection;
import java.sql.ResultSet;

/** How many pages it takes to settle a slot and to plan the next. */
final class SettlePages {
  private static final Snapshot NOTHING = Snapshot.parse("3:3:");

  private SettlePages() {}

  /** Of the statement that does it, run for real behind the last slot, and rolled back. */
  static long count(Connection session, Term term, long lastSlot) throws Exception {
    session.setAutoCommit(false);
    try {
      return settle(session, term, lastSlot);
    } finally {
      session.rollback();
      session.setAutoCommit(true);
    }
  }

  /** The same, to stay. */
  static long settle(Connection session, Term term, long lastSlot) throws Exception {
    SlotStatements statements = new SlotStatements(SchemaNames.DEFAULT, term);
    Sql explain =
        Sql.in(
            SchemaNames.DEFAULT,
            Explained.EXPLAIN + SlotStatements.SETTLE_AND_PLAN,
            SlotStatements.PIECES);
    try (SqlStatement settling = explain.on(session);
        ResultSet row =
            statements
                .bindSettleAndPlan(
                    settling,
                    new SlotStatements.Advance(slot(lastSlot + 1), Origins.CHAIN),
                    slot(lastSlot + 2))
                .query()) {
      return Explained.pages(Explained.plan(row));
    }
  }

  /** Of the statement by which each read begins. */
  static long check(Connection session, Term term, long lastSlot) throws Exception {
    Sql explain =
        Sql.in(SchemaNames.DEFAULT, Explained.EXPLAIN + HandoffReader.CHECK, SlotStatements.PIECES);
    try (SqlStatement check = explain.on(session);
        ResultSet row = HandoffReader.bindCheck(check, term, lastSlot).query()) {
      JsonNode plan = Explained.plan(row);
      assertThat(plan.get("Actual Rows").asInt()).isEqualTo(1);
      return Explained.pages(plan);
    }
  }

  private static SlotContent slot(long number) {
    return new SlotContent(
        number,
        Origins.of("session"),
        Origins.READ_AT,
        new Window(NOTHING, NOTHING, true),
        new SlotContent.Extent(1, 3, number, 3, number),
        "sha256-of-" + number,
        new byte[0],
        100,
        false);
  }
}
