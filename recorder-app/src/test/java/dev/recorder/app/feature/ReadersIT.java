package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import dev.recorder.app.harness.Bucket;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A log of zstd is recorded and read while its active host dies. */
@Timeout(900)
class ReadersIT {
  private static final Duration AFTER_DEATH = Duration.ofMinutes(3);

  @RegisterExtension private final Story story = Story.packing("zstd");
  @TempDir private Path folder;

  @Test
  void aReaderThatFollowsGetsEachRowOnceAndInOrderAcrossATakeover() throws Exception {
    Host a = story.cluster().host("host-a", true, Particulars.PATIENT);
    Host b = story.cluster().host("host-b", false, Particulars.PATIENT);
    story.begin(a, b);
    try (ReaderProcess reader =
        ReaderProcess.start(story.cluster(), "cat", "orders", "--follow", "--positions")) {
      reader.awaitLines(1);
      a.kill();
      story.observer().awaitWorking(b, AFTER_DEATH);
      story.awaitNextSlot();
      story.end();
      List<String> recorded = recorded();
      await("all rows").until(() -> reader.lines().size() >= recorded.size());

      List<String> read = reader.lines();
      assertThat(reader.errors()).isEmpty();
      assertThat(reader.terminate()).isZero();
      assertThat(read)
          .extracting(line -> line.substring(line.indexOf('\t') + 1))
          .isEqualTo(recorded);
      assertGoesOnWhereItWas(read);
    }
    assertDuckDbReads(recorded());
  }

  @Test
  void aHostThatCannotLoadTheLibrarySaysSoOnceAndLeavesTheLogToItsPeer() throws Exception {
    Particulars noFolder = Particulars.PATIENT.withJvm("-Djava.io.tmpdir=/proc/nowhere");
    Host a = story.cluster().host("host-a", true, noFolder).start();
    a.awaitLog("compression zstd needs zstd-jni's native library", AFTER_DEATH);
    Host b = story.cluster().host("host-b", false, Particulars.PATIENT);

    story.begin(b);
    story.awaitNextSlot();

    assertThat(a.isRunning()).isTrue();
    assertThat(a.alarms()).filteredOn(alarm -> alarm.text().contains("zstd-jni")).hasSize(2);
    story.end();
  }

  /** Another reader that begins at a position gets what follows it. */
  private void assertGoesOnWhereItWas(List<String> read) {
    int middle = read.size() / 2;
    String position = read.get(middle).split("\t")[0];

    String rest = story.cluster().run("cat", "orders", "--positions", "--from", position).output();

    assertThat(rest.lines()).containsExactlyElementsOf(read.subList(middle + 1, read.size()));
  }

  /** With the statement of docs/readers.md, for this compression. */
  private void assertDuckDbReads(List<String> recorded) throws Exception {
    Bucket bucket = story.cluster().bucket();
    for (long slot : bucket.numbers()) {
      Files.write(folder.resolve(slot + ".ndjson.zst"), bucket.packed(slot));
    }
    Matcher example =
        Pattern.compile("`(SELECT key, count[^`]*'orders/\\*\\.ndjson\\.gz'[^`]*)`")
            .matcher(Documents.text("docs/readers.md"));
    assertThat(example.find()).isTrue();
    String sql = example.group(1).replace("orders/*.ndjson.gz", folder + "/*.ndjson.zst");
    long rows = 0;
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet keys = statement.executeQuery(sql)) {
      while (keys.next()) {
        rows += keys.getLong(2);
      }
    }
    assertThat(rows).isEqualTo(recorded.size());
  }

  private List<String> recorded() {
    Bucket bucket = story.cluster().bucket();
    List<String> lines = new ArrayList<>();
    for (long slot : bucket.numbers()) {
      new String(bucket.lines(slot), StandardCharsets.UTF_8).lines().forEach(lines::add);
    }
    return lines;
  }
}
