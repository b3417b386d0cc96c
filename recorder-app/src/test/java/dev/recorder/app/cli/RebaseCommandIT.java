package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When {@code recorder rebase} does nothing; what it does is the story of a restored dump. */
class RebaseCommandIT {
  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void recordSomething() throws Exception {
    site = TestSite.create(folder);
    site.start();
    site.record("orders", 10);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void aDatabaseWithNumbersOfItsOwnNeedsNone() throws Exception {
    String rows = site.ask("SELECT string_agg(h::text, ' ' ORDER BY id) FROM handoff.orders h");

    for (String option : new String[] {"--yes", "--dry-run"}) {
      Run run = site.run("rebase", "orders", option);
      assertThat(run.err()).isEmpty();
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).contains("recorder orders needs no rebase");
    }

    assertThat(site.ask("SELECT string_agg(h::text, ' ' ORDER BY id) FROM handoff.orders h"))
        .isEqualTo(rows);
    site.record("orders", 10);
    assertThat(site.run("verify", "orders").exitCode()).isZero();
  }

  @Test
  void whileAMachineHoldsTheRecorderItIsRefused() throws Exception {
    bringAForeignRow();

    Run run = site.run("rebase", "orders", "--yes");

    assertThat(run.exitCode()).isEqualTo(75);
    assertThat(run.err()).contains("recorder orders is held by", "stop its machines first");
  }

  @Test
  void checkNamesTheRebaseThatIsNeeded() throws Exception {
    bringAForeignRow();

    Run run = site.run("check", "--online");

    assertThat(run.exitCode()).isEqualTo(78);
    assertThat(run.out()).contains("99999999", "recorder rebase orders");
  }

  @Test
  void withoutAConsentItSaysWhatCanGoWrong() {
    Run run = site.run("rebase", "orders");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("original database", "--yes", "--dry-run");
  }

  private void bringAForeignRow() throws Exception {
    site.execute("ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own");
    site.execute("INSERT INTO handoff.orders (xid, payload) VALUES ('99999999', '{}')");
  }
}
