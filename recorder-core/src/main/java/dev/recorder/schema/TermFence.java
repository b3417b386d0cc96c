package dev.recorder.schema;

import dev.recorder.handoff.Term;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/**
 * A statement that fails, and with it the transaction that it stands in, unless a term still lasts.
 * It has no parameters, so that it can be sent with others in one go: nothing comes in between.
 */
record TermFence(SchemaNames names, Term term) {
  /** SQLSTATE of its failure. */
  static final String OVER = "RT001";

  private static final String FENCE =
      """
      IF NOT EXISTS (
          SELECT FROM {lock_recorders}
          WHERE lock_id = {lock} AND epoch = {epoch} AND log_uuid = {log}::uuid
            AND holder = convert_from(decode({machine}, 'hex'), 'UTF8')) THEN
        RAISE EXCEPTION 'the term is over' USING ERRCODE = {over};
      END IF;
      """;

  /** Alone. */
  String sql() {
    return Schema.block("\n" + part() + "\n");
  }

  /** As the end of a block. The machine's name is in digits, since users choose it. */
  String part() {
    String machine = HexFormat.of().formatHex(term.machine().getBytes(StandardCharsets.UTF_8));
    Map<String, String> pieces =
        Map.of(
            "lock", Integer.toString(term.lockId()),
            "epoch", Long.toString(term.epoch()),
            "log", Quoted.literal(term.log().toString()),
            "machine", Quoted.literal(machine),
            "over", Quoted.literal(OVER));
    return Sql.in(names, FENCE, pieces).text();
  }
}
