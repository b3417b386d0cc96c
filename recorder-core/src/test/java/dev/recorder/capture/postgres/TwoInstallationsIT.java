package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two control schemas in one database, and a table of which both want the changes. */
class TwoInstallationsIT {
  private static final RecorderName OTHER = new RecorderName("other");
  private static final SchemaNames SECOND = new SchemaNames("recorder_b", "handoff_b");

  @Test
  void theTriggersOfOneAreNotTakenByTheOtherAndUnderAnotherNameBothHaveTheChanges()
      throws Exception {
    try (CaptureSite site = new CaptureSite()) {
      site.database.execute(
          new Schema(SECOND)
              .script(TestDatabase.ROLE, List.of(log(CaptureSite.ORDERS), log(OTHER))));
      site.run("CREATE TABLE public.account (id int PRIMARY KEY, v text)");
      site.capture("account");
      DatabaseSettings settings =
          DatabaseSettings.of("127.0.0.1", site.database.name(), PostgresServer.SUPERUSER)
              .port(site.database.server().port())
              .schemas(SECOND)
              .build();
      try (Captures second = Captures.open(new Sessions(settings, "second"), TestDatabase.ROLE)) {
        assertThatThrownBy(() -> second.add(account(CaptureSite.ORDERS), false))
            .hasMessageContaining(
                "public.account is captured already by recorder orders of another schema (its"
                    + " trigger calls recorder.capture_orders_");
        second.add(account(OTHER), false);
      }
      site.run("INSERT INTO public.account VALUES (1, 'x')");
      for (String table : List.of("handoff.orders", "handoff_b.other")) {
        assertThat(
                site.database.number(
                    "SELECT count(*) FROM " + table + " WHERE payload ->> 'op' = 'insert'"))
            .as(table)
            .isEqualTo(1);
      }
      assertThat(site.losses()).isEmpty();
    }
  }

  private static HandoffTable log(RecorderName recorder) {
    return new HandoffTable(recorder, RecorderKind.LOG, 16 << 20);
  }

  private static WantedCapture account(RecorderName recorder) {
    return new WantedCapture(recorder, "account", CaptureOptions.USUAL);
  }
}
