package dev.recorder.clearing.race;

import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import java.sql.SQLException;
import java.util.UUID;

/** The log's terms, all of one machine that comes back again and again. Thread-safe. */
final class Terms {
  private static final String MACHINE = "host-a";

  private final RebaseSite site;
  private volatile Term current;

  Terms(RebaseSite site) throws SQLException {
    this.site = site;
    this.current = begin();
  }

  /** The one in force. Another may be by the time it is used. */
  Term current() {
    return current;
  }

  /** Begins a new one, committed when this returns. */
  synchronized Term next() throws SQLException {
    current = begin();
    return current;
  }

  private Term begin() throws SQLException {
    String[] row =
        site.ask(
                "UPDATE recorder.lock_recorders SET holder = '%s', epoch = epoch + 1 RETURNING epoch || ',' || log_uuid"
                    .formatted(MACHINE))
            .get(0)
            .split(",");
    return new Term(1, Long.parseLong(row[0]), MACHINE, UUID.fromString(row[1]));
  }
}
