package dev.recorder.schema;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import java.util.List;

/** The hand-off table of {@code orders} as an earlier version made it: one partition, no leaves. */
public final class EarlierTable {
  private EarlierTable() {}

  /** Instead of the table that there is, if any. */
  public static String[] create() {
    RecorderName orders = new RecorderName("orders");
    return List.of(
            "CREATE SCHEMA IF NOT EXISTS recorder",
            "CREATE SCHEMA IF NOT EXISTS handoff",
            "DROP TABLE IF EXISTS handoff.orders",
            """
            CREATE TABLE handoff.orders (
              id bigint GENERATED ALWAYS AS IDENTITY,
              xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
              time timestamptz NOT NULL DEFAULT now() CHECK (isfinite(time)),
              key text,
              payload json NOT NULL
            ) PARTITION BY RANGE (time)
            """,
            "CREATE TABLE recorder.handoff_orders_default PARTITION OF handoff.orders DEFAULT",
            "CREATE INDEX orders_xid_id ON handoff.orders (xid, id)",
            TableCheck.ownNumbers(SchemaNames.DEFAULT, orders).sql())
        .toArray(String[]::new);
  }
}
