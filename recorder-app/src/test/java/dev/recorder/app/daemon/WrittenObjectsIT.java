package dev.recorder.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.TestSite;
import dev.recorder.testing.Patience;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a host's PUTs ask of the store, from the configuration to the wire. */
@Timeout(300)
class WrittenObjectsIT {
  private static final String FILE_KEYS =
      """
      sse = aws:kms
      kms_key_id = alias/logs
      storage_class = STANDARD_IA
      tags = team = sales, stage=prod
      object_lock = compliance
      retain = 400d
      """;

  @TempDir private Path folder;

  @Test
  void slotsIdentitiesAndDocumentsAreAsTheFileSaysAndTestObjectsAreNotLocked() throws Exception {
    try (TestSite site = TestSite.trusting(folder);
        HttpTap tap = site.tapStore()) {
      tap.onRequest(WrittenObjectsIT::withoutEncryption);
      site.configure(
          Files.readString(site.ini()).replace("prefix = prod\n", "prefix = prod\n" + FILE_KEYS)
              + "[recorder:inbox]\nlockid = 3\nkind = requests\n");
      site.start();
      site.record("orders", 3);
      site.execute("INSERT INTO handoff.inbox (entity_id, payload) VALUES ('a', '{}')");
      Patience.await("the document").until(() -> !puts(tap, "/inbox/a.json").isEmpty());
      OffsetDateTime now =
          OffsetDateTime.parse(site.ask("SELECT to_char(now(), 'YYYY-MM-DD\"T\"HH24:MI:SSOF:00')"));

      for (String object : List.of("/orders/0", "/orders/_log.json", "/inbox/a.json")) {
        assertThat(puts(tap, object))
            .isNotEmpty()
            .allSatisfy(
                put -> {
                  assertIsGivenTheRest(put);
                  assertThat(put.header("x-amz-object-lock-mode")).contains("COMPLIANCE");
                  assertThat(put.header("x-amz-object-lock-retain-until-date").orElse(""))
                      .satisfies(until -> assertIsIn400Days(until, now));
                  assertThat(put.header("x-amz-trailer")).contains("x-amz-checksum-crc32");
                });
      }
      assertThat(puts(tap, "/_store_test/"))
          .isNotEmpty()
          .allSatisfy(WrittenObjectsIT::assertIsGivenTheRest)
          .allSatisfy(put -> assertThat(put.header("x-amz-object-lock-mode")).isEmpty());
    }
  }

  /** The tests' server refuses these two. */
  private static Fault withoutEncryption(HttpTap.Request put) {
    return put.header("x-amz-server-side-encryption").isEmpty()
        ? Fault.none()
        : Fault.without(
            "x-amz-server-side-encryption", "x-amz-server-side-encryption-aws-kms-key-id");
  }

  private static void assertIsIn400Days(String until, OffsetDateTime now) {
    assertThat(Duration.between(now.plusDays(400), OffsetDateTime.parse(until)).abs())
        .isLessThan(Duration.ofMinutes(5));
  }

  private static void assertIsGivenTheRest(HttpTap.Request put) {
    assertThat(put.headers())
        .containsEntry("x-amz-server-side-encryption", "aws:kms")
        .containsEntry("x-amz-server-side-encryption-aws-kms-key-id", "alias/logs")
        .containsEntry("x-amz-storage-class", "STANDARD_IA")
        .containsEntry("x-amz-tagging", "stage=prod&team=sales");
  }

  private static List<HttpTap.Request> puts(HttpTap tap, String part) {
    return tap.requests().stream()
        .filter(request -> request.method().equals("PUT") && request.path().contains(part))
        .toList();
  }
}
