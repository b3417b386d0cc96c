package dev.recorder.postgres;

import dev.recorder.slotlog.LedgerContract;
import dev.recorder.slotlog.LedgerFixture;

/** The ledger's contract on a real server. */
class JdbcLedgerIT extends LedgerContract {
  @Override
  protected LedgerFixture newFixture() {
    return new JdbcLedgerFixture();
  }
}
