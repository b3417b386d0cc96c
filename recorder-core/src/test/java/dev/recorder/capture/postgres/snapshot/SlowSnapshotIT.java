package dev.recorder.capture.postgres.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.operate.rebase.RebaseSite;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A snapshot whose chunks take long for reasons that a smaller chunk would not mend. */
class SlowSnapshotIT extends WithSnapshotSite {
  private final List<Long> told = Collections.synchronizedList(new ArrayList<>());

  /** Were the network's time counted, each chunk by a far connection would be smaller. */
  @Test
  void theTimeOfAChunkIsTheServersOwn() throws Exception {
    try (Connection connection = site.source.database.connect()) {
      SnapshotSession session =
          new SnapshotSession(
              connection,
              new CaptureRule(
                  RebaseSite.ORDERS,
                  new TableName("public", "account"),
                  new CaptureOptions(ColumnChoice.ALL, null, null, OldImage.KEY)),
              new AtomicInteger());

      assertThat(session.read("SELECT 7, 1000; SELECT 1030"))
          .isEqualTo(new SnapshotSession.RowsRead(7, 30));
    }
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
