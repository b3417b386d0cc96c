package dev.recorder.capture.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever writes to a table with many partitions waits for one of them, and not for all. */
@Tag("nightly")
class ManyPartitionsIT extends WithKeptSite {
  private static final int PARTITIONS = Integer.getInteger("partitions", 300);

  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE measure (id int PRIMARY KEY, value text) PARTITION BY LIST (id)",
        """
        DO $$ BEGIN
          FOR i IN 1..%d LOOP
            EXECUTE format('CREATE TABLE m_%%s PARTITION OF measure FOR VALUES IN (%%s)', i, i);
          END LOOP;
        END $$"""
            .formatted(PARTITIONS));
  }

  private CompletableFuture<Void> captured() {
    return CompletableFuture.runAsync(
        () -> {
          try (Captures captures = site.captures()) {
            captures.add(
                new Captures.WantedCapture(CaptureSite.ORDERS, "measure", CaptureOptions.USUAL),
                false);
          } catch (RefusedCaptureException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private long triggers(String table) throws SQLException {
    return site.database.number(
        "SELECT count(*) FROM pg_trigger WHERE tgname LIKE '00%%' AND tgrelid = 'public.%s'::regclass"
            .formatted(table));
  }

  @Test
  void aPartitionThatIsInUseKeepsNobodyFromWritingToTheOthersNorThemFromBeingCaptured()
      throws Exception {
    CompletableFuture<Void> captured;
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("INSERT INTO m_1 VALUES (1)");
      captured = captured();
      await("the table").until(() -> triggers("measure") == 4);

      site.run("INSERT INTO measure VALUES (2)");

      assertThat(site.ops()).containsExactly("insert");
      assertThat(triggers("m_1")).isZero();
      other.commit();
    }
    captured.get(1, TimeUnit.MINUTES);
    assertThat(triggers("m_1")).isEqualTo(4);
    assertThat(triggers("m_" + PARTITIONS)).isEqualTo(4);
  }

  @Test
  void thoseThatStayInUseAreNamedAndTheOthersAreCaptured() throws Exception {
    try (Captures captures = site.captures();
        Connection other = site.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE ONLY m_7 IN ROW EXCLUSIVE MODE");
      var script = captures.read(KeptSite.rule("measure"), false);
      try (Connection administrator = site.database.connectAsSuperuser()) {
        Arming arming = new Arming(administrator, 1);
        arming.run(script.rule().table(), script.statements());

        assertThat(arming.each(script, () -> true)).containsExactly(KeptSite.rule("m_7").table());
      }
    }
    assertThat(triggers("m_7")).isZero();
    assertThat(triggers("m_8")).isEqualTo(4);
  }

  @Test
  void howLongItTakesAndAWriterWaits() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Long> writer =
        CompletableFuture.supplyAsync(() -> longestWait(over), task -> new Thread(task).start());
    long from = System.nanoTime();
    captured().get(2, TimeUnit.MINUTES);
    long took = System.nanoTime() - from;
    over.set(true);

    System.out.println(
        "figure: "
            + PARTITIONS
            + " partitions captured in "
            + TimeUnit.NANOSECONDS.toMillis(took)
            + " ms; the longest insert meanwhile took "
            + TimeUnit.NANOSECONDS.toMillis(writer.get(1, TimeUnit.MINUTES))
            + " ms");
    assertThat(triggers("m_" + PARTITIONS)).isEqualTo(4);
  }

  @Test
  void howLongALookTakes() throws Exception {
    captured().get(2, TimeUnit.MINUTES);
    long[] times = new long[15];
    for (int i = 0; i < times.length; i++) {
      long from = System.nanoTime();
      assertThat(kept.faults()).isEmpty();
      times[i] = System.nanoTime() - from;
    }
    Arrays.sort(times);
    System.out.println(
        "figure: a look at a table with %d partitions takes %.1f ms"
            .formatted(PARTITIONS, times[times.length / 2] / 1e6));
  }

  private long longestWait(AtomicBoolean over) {
    long longest = 0;
    try (Connection connection = site.connect();
        Statement statement = connection.createStatement()) {
      for (int i = 1; !over.get(); i++) {
        long from = System.nanoTime();
        statement.execute(
            "INSERT INTO measure VALUES (%d) ON CONFLICT (id) DO UPDATE SET value = 'x'"
                .formatted(1 + i % PARTITIONS));
        longest = Math.max(longest, System.nanoTime() - from);
      }
      return longest;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
