package dev.recorder.app.cli.log;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.CommandsIT;
import dev.recorder.app.cli.OwnSite;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.ProcessSignal;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code cat} chooses of a log, and following one; the rest is in {@link CommandsIT}. */
class CatIT extends OwnSite {

  // ---- choosing

  @Test
  @Reading
  void aPositionThatWasPrintedIsWhereToGoOn() throws Exception {
    List<String> all = site.run("cat", "orders", "--positions").exits(0).out().lines().toList();
    assertThat(all).hasSize(RECORDED);
    assertThat(all.get(0)).startsWith("1:2\t{\"id\":1,");
    assertThat(all.get(99)).startsWith("2:1\t");

    for (int done : new int[] {1, 99, 100, 101, 249}) {
      String next = all.get(done - 1).split("\t")[0];
      Run rest = site.run("cat", "orders", "--positions", "--from", next).exits(0);

      assertThat(rest.out().lines()).containsExactlyElementsOf(all.subList(done, all.size()));
    }
    site.run("cat", "orders", "--from", all.get(249).split("\t")[0]).exits(0).printsNothing();
  }

  @Test
  @Reading
  void aRowThatASlotDoesNotHaveIsAMistakeOfUse() throws Exception {
    site.run("cat", "orders", "--from", "1:102")
        .exits(2)
        .printsNothing()
        .saysOnly("recorder: slot 1 of orders has 100 rows: there is no position 1:102\n");
  }

  @Test
  void anArchivedSlotIsNamedAsOne() throws Exception {
    try (HttpTap tap = site.tapStore()) {
      startAndRecord(250);
      tap.onRequest(request -> archived(request, "/prod/orders/00000000000000000002."));

      Run run = site.run("cat", "orders").exits(69).says("InvalidObjectState", "it is archived");

      assertThat(run.err()).doesNotContain("allow");
      assertThat(run.jsonLines()).hasSize(100);
    }
  }

  @Test
  void aLogWhoseIdentityIsArchivedIsReadAndRecorded() throws Exception {
    try (HttpTap tap = site.tapStore()) {
      startAndRecord(1);
      site.stop();
      tap.onRequest(request -> archived(request, "/prod/orders/_log.json"));

      site.run("check", "--online").exits(0);
      startAndRecord(1);

      assertThat(site.run("cat", "orders").exits(0).jsonLines()).hasSize(2);
    }
  }

  /** As S3 answers of an object in Glacier: of what is not its content all is told. */
  private static Fault archived(HttpTap.Request request, String key) {
    return request.method().equals("GET") && request.path().contains(key)
        ? Fault.answer(403, "InvalidObjectState")
        : Fault.none();
  }

  @Test
  @Reading
  void onlyRowsOfTheKeysThatWereGiven() throws Exception {
    Run run = site.run("cat", "orders", "--key", "k7", "--key", "k205").exits(0).saysNothing();

    assertThat(run.jsonLines())
        .extracting(row -> row.get("key").textValue())
        .containsExactly("k7", "k205");
  }

  @Test
  void onlyRowsOfTheTimeThatWasGiven() throws Exception {
    startAndRecord(100);
    site.record("orders", 3);
    List<JsonNode> all = site.run("cat", "orders").jsonLines();
    String later = all.get(100).get("time").textValue();

    Run since = site.run("cat", "orders", "--since", later);
    Run until = site.run("cat", "orders", "--until", later);

    assertThat(since.jsonLines()).isEqualTo(all.subList(100, 103));
    assertThat(until.jsonLines()).isEqualTo(all.subList(0, 100));
  }

  @Test
  void aLogOfZstdIsReadAndProvedLikeAnyOther() throws Exception {
    site.configure(site.text().replace("compression = none", "compression = zstd"));
    site.start();
    site.record("audit", 200);

    assertThat(site.store.keys(TestSite.BUCKET, "prod/audit/0"))
        .isNotEmpty()
        .allMatch(key -> key.endsWith(".ndjson.zst"));
    assertThat(site.run("cat", "audit").exits(0).jsonLines()).hasSize(200);
    site.run("verify", "audit").exits(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cat", "verify"})
  @Reading
  void aFileThatSaysAnotherCompressionThanTheLogHasIsRefused(String command) throws Exception {
    site.configure(site.text().replace("rotate_rows = 100", "compression = zstd"));

    site.run(command, "orders").exits(78).says("gzip", "zstd", "correct the file");
  }

  // ---- following

  @Test
  void whatIsRecordedLaterComesToo() throws Exception {
    startAndRecord(3);
    try (Follower follower = new Follower()) {
      assertThat(follower.lines(3)).hasSize(3);

      site.record("orders", 2);

      assertThat(follower.lines(2)).allMatch(line -> line.startsWith("{\"id\":"));
      assertThat(follower.endBy("TERM")).isZero();
      assertThat(follower.errors()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "HUP"})
  @Reading
  void toBeAskedToEndIsNoFailure(String signal) throws Exception {
    try (Follower follower = new Follower()) {
      follower.lines(1);

      assertThat(follower.endBy(signal)).isZero();
    }
  }

  @Test
  void itEndsWithTheNextRowOnceNobodyReadsAnyMore() throws Exception {
    startAndRecord(1);
    try (Follower follower = new Follower()) {
      follower.lines(1);
      follower.stopReading();
      site.record("orders", 1);

      assertThat(follower.awaitEnd()).isZero();
      assertThat(follower.errors()).isEmpty();
    }
  }

  @Test
  void itNeedsNoDatabaseOnceItHasBegun() throws Exception {
    startAndRecord(1);
    try (Follower follower = new Follower()) {
      follower.lines(1);
      String sessions =
          "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
              + " AND datname = current_database() AND application_name LIKE '%query%'";

      await().until(() -> site.ask(sessions).equals("0"));
      site.record("orders", 1);
      assertThat(follower.lines(1)).hasSize(1);
    }
  }

  @Test
  void itSaysThatTheStoreGivesNoAnswerAndGoesOnWhenItDoes() throws Exception {
    try (HttpTap tap = site.tapStore()) {
      startAndRecord(1);
      try (Follower follower = new Follower()) {
        follower.lines(1);
        tap.goAway();
        await().until(() -> follower.errors().contains("retrying"));
        tap.comeBack();
        site.record("orders", 1);

        assertThat(follower.lines(1)).hasSize(1);
        assertThat(follower.errors().lines())
            .hasSize(2)
            .last()
            .asString()
            .contains("answers again");
      }
    }
  }

  private void startAndRecord(int rows) throws Exception {
    site.start();
    site.record("orders", rows);
  }

  /** {@code cat --follow} in a process of its own, read by this one. */
  private final class Follower implements AutoCloseable {
    private final Path errors = folder.resolve("errors.txt");
    private final Process process;
    private final BufferedReader output;

    Follower() throws IOException {
      List<String> words = List.of("cat", "orders", "--follow", "-c", site.ini().toString());
      process = Product.command(folder, words).redirectError(errors.toFile()).start();
      output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The next of its lines, for which it waits. */
    List<String> lines(int count) throws IOException {
      List<String> lines = new ArrayList<>();
      while (lines.size() < count) {
        String line = output.readLine();
        assertThat(line).as(() -> "line; it said: " + errors()).isNotNull();
        lines.add(line);
      }
      return lines;
    }

    void stopReading() throws IOException {
      output.close();
    }

    int endBy(String signal) throws InterruptedException {
      ProcessSignal.send(signal, process.pid());
      return awaitEnd();
    }

    int awaitEnd() throws InterruptedException {
      return process.waitFor();
    }

    String errors() {
      try {
        return Files.readString(errors);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
