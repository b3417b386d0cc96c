package dev.recorder.clearing.postgres;

import static dev.recorder.clearing.postgres.EarlierSite.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.operate.RebaseSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.EarlierTable;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.Patience;
import dev.recorder.testing.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where the machines' role owns no table, its owner gives it leaves by the printed SQL. */
class UpgradeByScriptIT {
  private static final String SCRIPT =
      new Schema(SchemaNames.DEFAULT)
          .script(
              TestDatabase.ROLE,
              List.of(new HandoffTable(RebaseSite.ORDERS, RecorderKind.LOG, 16 << 20)));

  /** What an earlier version printed ended here. */
  private static final String WITHOUT_LEAVES =
      SCRIPT.substring(0, SCRIPT.indexOf("-- If an earlier version made"));

  private EarlierSite earlier;
  private RebaseSite site;

  @BeforeEach
  void createAsAnAdministrator() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.execute(EarlierTable.create());
    database.execute(WITHOUT_LEAVES);
    earlier = new EarlierSite(new RebaseSite(database, new MemoryStore()));
    site = earlier.site;
  }

  @AfterEach
  void drop() throws Exception {
    earlier.close();
  }

  @Test
  void aMachineWithTheLeastRightsClearsWhatTheOwnerGaveLeaves() throws Exception {
    site.insert("a");
    site.record(1);
    assertThat(earlier.turn())
        .singleElement()
        .asString()
        .contains("this role does not own it: let its owner run the output of 'recorder schema'");

    runUntilItHasLeaves();
    site.database.execute(SCRIPT);

    assertThat(earlier.turn()).isEmpty();
    earlier.rotate(0);
    site.insert("b");
    site.record(1);
    assertThat(earlier.turn()).singleElement().matches(Report::isCleared);
    assertThat(site.keys()).containsExactly("b");
    assertThat(site.verify().findings()).isEmpty();
    assertThat(
            site.database.one(
                "SELECT string_agg(DISTINCT tableowner, ' ') FROM pg_tables"
                    + " WHERE tablename ~ 'orders'"))
        .isEqualTo("postgres");
  }

  /** On a busy machine it takes too long at times, and is to be run again. */
  private void runUntilItHasLeaves() {
    Patience.await("leaves")
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              site.database.execute(SCRIPT);
              assertThat(earlier.leafCount()).isEqualTo(8);
            });
  }

  @Test
  void whatIsInTheWayIsSaidAndTheRestOfTheScriptIsDone() throws Exception {
    site.insert("a");
    site.database.execute("CREATE VIEW public.mine AS SELECT key FROM " + PARTITION);

    site.database.execute(SCRIPT);

    assertThat(earlier.leafCount()).isZero();
    assertThat(site.keys()).containsExactly("a");
  }

  @Test
  void idsOfOtherLeavesAreSaidAndStayAllowed() throws Exception {
    String large =
        "INSERT INTO handoff.orders (id, payload) OVERRIDING SYSTEM VALUE"
            + " VALUES (5::bigint << 32, '1')";
    site.database.execute(large);

    Patience.await("end of the script")
        .ignoreExceptions()
        .until(
            () -> {
              site.database.execute(SCRIPT);
              return true;
            });

    assertThat(earlier.leafCount()).isZero();
    site.database.execute(large);
  }

  @Test
  void whoRunsTheEarlierVersionsScriptAgainChangesNothing() throws Exception {
    runUntilItHasLeaves();

    site.database.execute(
        "CREATE TABLE IF NOT EXISTS " + PARTITION + " PARTITION OF handoff.orders DEFAULT");

    assertThat(earlier.leafCount()).isEqualTo(8);
  }
}
