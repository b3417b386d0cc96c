package dev.recorder.app.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.OwnSite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When {@code recorder rebase} does nothing; what it does is the story of a restored dump. */
class RebaseCommandIT extends OwnSite {
  @BeforeEach
  void recordSomething() throws Exception {
    site.start();
    site.record("orders", 10);
  }

  @Test
  void aDatabaseWithNumbersOfItsOwnNeedsNone() throws Exception {
    String rows = site.ask("SELECT string_agg(h::text, ' ' ORDER BY id) FROM handoff.orders h");

    for (String option : new String[] {"--yes", "--dry-run"}) {
      site.run("rebase", "orders", option)
          .saysNothing()
          .exits(0)
          .prints("recorder orders needs no rebase");
    }

    assertThat(site.ask("SELECT string_agg(h::text, ' ' ORDER BY id) FROM handoff.orders h"))
        .isEqualTo(rows);
    site.record("orders", 10);
    site.run("verify", "orders").exits(0);
  }

  @Test
  void whileAMachineHoldsTheRecorderItIsRefused() throws Exception {
    bringAForeignRow();

    site.run("rebase", "orders", "--yes")
        .exits(75)
        .says("recorder orders is held by", "stop its hosts first");
  }

  @Test
  void checkNamesTheRebaseThatIsNeeded() throws Exception {
    bringAForeignRow();

    checkOnline().exits(78).prints("99999999", "recorder rebase orders");
  }

  @Test
  void verifyAsksForTheRebaseFirstAndCallsNoRowLost() throws Exception {
    bringAForeignRow();
    site.stop();
    // What this server inserts now lies below the position that came with a dump.
    site.execute(
        "UPDATE recorder.lock_recorders SET done_snapshot = '99999990:99999990:'",
        "INSERT INTO handoff.orders (payload) VALUES ('{}')");

    site.run("verify", "orders")
        .exits(78)
        .printsNothing()
        .says("orders is not verified", "'recorder rebase orders'");
  }

  @Test
  void withoutAConsentItSaysWhatCanGoWrong() {
    site.run("rebase", "orders").exits(2).says("original database", "--yes", "--dry-run");
  }

  private void bringAForeignRow() throws Exception {
    site.execute("ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own");
    site.execute("INSERT INTO handoff.orders (xid, payload) VALUES ('99999999', '{}')");
  }
}
