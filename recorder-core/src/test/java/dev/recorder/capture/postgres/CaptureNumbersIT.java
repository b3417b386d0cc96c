package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The numbers of captured changes, where the sequence did not come with the log. */
class CaptureNumbersIT extends WithCaptureSite {
  @BeforeEach
  void create() throws Exception {
    site.run("CREATE TABLE account (id int PRIMARY KEY)");
    site.capture("account");
  }

  @Test
  void aNewSequenceBeginsBehindEarlierOnes() throws Exception {
    for (int id = 1; id <= 5; id++) {
      site.run("INSERT INTO account VALUES (" + id + ")");
    }
    site.database.execute("DROP SEQUENCE recorder.capture_orders_seq");
    site.again("account");

    site.run("INSERT INTO account VALUES (6)");

    assertThat(inserted()).containsExactly("1", "2", "3", "4", "5", "6");
    assertThat(findings()).isEmpty();
  }

  @Test
  void oneThatStandsBelowTheLogIsFoundAndMovedByAgain() throws Exception {
    site.run("INSERT INTO account VALUES (1)");
    site.database.execute("ALTER SEQUENCE recorder.capture_orders_seq RESTART");

    assertThat(findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.losesChanges()).isTrue();
              assertThat(finding.text())
                  .contains("sequence recorder.capture_orders_seq stands at 0", "--again");
            });

    site.again("account");
    site.run("INSERT INTO account VALUES (2)");
    assertThat(inserted()).containsExactly("1", "2");
    assertThat(findings()).singleElement().asString().contains("until a snapshot");
  }

  private List<CaptureFinding> findings() {
    try (Captures captures = site.captures()) {
      return captures.check();
    }
  }

  /** In the order of a replay. */
  private List<String> inserted() throws Exception {
    return site.database.query(
        "SELECT payload->'after'->>'id' FROM handoff.orders WHERE payload->>'op' = 'insert'"
            + " ORDER BY (payload->>'seq')::bigint",
        row -> row.getString(1));
  }
}
