package dev.recorder.capture.postgres.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A snapshot whose chunks take long for reasons that a smaller chunk would not mend. */
class SlowSnapshotIT extends WithSnapshotSite {
  private static final int ROWS = 30_000;
  private static final Duration ONE_WAY = Duration.ofMillis(30);

  private final List<Long> told = Collections.synchronizedList(new ArrayList<>());

  /** Were the way there and back taken for work, each chunk would be smaller than the last. */
  @Test
  void byAFarConnectionItsChunksDoNotShrink() throws Exception {
    site.account(ROWS);
    site.capture("public.account", OldImage.KEY, false);
    try (TcpProxy far = TcpProxy.to(site.source.database.server().port())) {
      far.delay(ONE_WAY);
      try (Captures captures =
          Captures.open(
              new Sessions(
                  TestSettings.as(PostgresServer.SUPERUSER, site.source.database, far.port()),
                  "admin"),
              TestDatabase.ROLE)) {
        captures.snapshot(
            RebaseSite.ORDERS, "public.account", false, (rows, percent) -> told.add(rows));
      }
    }

    System.out.println("figure: chunks of " + ROWS + " rows by a far connection: " + told);
    assertThat(told).hasSizeLessThan(60).last().isEqualTo((long) ROWS);
    site.provesEqual("public.account");
  }

  @Test
  void ofATableWithAsManyColumnsAsThereCanBeItEnds() throws Exception {
    String columns =
        IntStream.rangeClosed(1, 1_589)
            .mapToObj(i -> "c" + i + " boolean DEFAULT true")
            .collect(Collectors.joining(", "));
    site.source.run(
        "CREATE TABLE public.wide (id integer PRIMARY KEY, " + columns + ")",
        "INSERT INTO public.wide SELECT generate_series(1, 2000)");
    site.capture("public.wide", OldImage.KEY, false);

    site.snapshot("public.wide", (rows, percent) -> told.add(rows));

    System.out.println("figure: chunks of 2000 rows of 1590 columns: " + told);
    site.provesEqual("public.wide");
  }
}
