package dev.recorder.requests.postgres;

import static dev.recorder.requests.postgres.RequestSite.unit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.requests.Claim;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.document.DocumentLimits;
import dev.recorder.requests.document.DocumentWorker;
import dev.recorder.requests.document.StoredDocument;
import dev.recorder.requests.postgres.RequestSite.Unit;
import dev.recorder.store.ObjectStore.Body;
import dev.recorder.testing.servers.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A table that has lost requests, of which the bucket has the effects, and gives their ids again:
 * no request is taken for one that was lost.
 */
class LostRequestsIT extends TwoWorkers {
  private static final DocumentLayout LAYOUT =
      new DocumentLayout("", "bucket", "", RequestSite.ORDERS);

  private final MemoryStore bucket = new MemoryStore();
  private final DocumentWorker documents =
      new DocumentWorker(
          bucket, LAYOUT, new DocumentLimits(1_000, Duration.ofMinutes(1)), System::nanoTime);

  @Test
  void aCreateThatGetsALostOnesIdFindsItsDocumentAndFails() throws Exception {
    long lost = site.insert("create", "x", "{\"qty\":1}");
    workAll();
    forgetAll();
    assertThat(site.insert("create", "x", "{\"qty\":2}")).isEqualTo(lost);
    workAll();

    assertThat(site.statuses()).containsExactly("error");
    assertThat(site.row(1).error())
        .isEqualTo(
            "an object is already there under orders/x.json: another request with the id 1 created"
                + " it, which this database has lost or never had");
    assertThat(document("x")).isEqualTo("{\"qty\":1}");
  }

  @Test
  void updatesThatGetIdsOfLostOnesTakeEffectWhoseverTheseWere() throws Exception {
    site.create("x");
    site.create("y");
    workAll();
    site.run("CREATE TABLE public.kept AS TABLE handoff.orders");
    for (int i = 0; i < 5; i++) {
      site.insert("update", "x", "{\"lost\":%d}".formatted(i));
    }
    workAll();

    forgetAll();
    site.run(
        "INSERT INTO handoff.orders OVERRIDING SYSTEM VALUE TABLE public.kept",
        "DROP TABLE public.kept",
        "SELECT setval('handoff.orders_id_seq', 2)");
    site.insert("update", "y", "{\"a\":3}");
    site.insert("update", "x", "{\"b\":4}");
    site.insert("update", "y", "{\"c\":5}");
    site.insert("update", "x", "{\"d\":6}");
    workAll();

    assertThat(site.statuses()).hasSize(6).containsOnly("complete");
    assertThat(document("x")).isEqualTo("{\"lost\":4,\"b\":4,\"d\":6}");
    assertThat(document("y")).isEqualTo("{\"a\":3,\"c\":5}");
  }

  /** The same row, so that it is known again. */
  @Test
  void whatHasTakenEffectAndIsNotLostIsFoundAsEver() throws Exception {
    site.insert("create", "x", "{\"n\":1}");
    workUnsettled(1);
    workAll();
    site.insert("update", "x", "{\"n\":2}");
    site.insert("update", "x", "{\"n\":\"%s\"}".formatted("3".repeat(100_000)));
    site.insert("update", "x", "{\"n\":4}");
    workUnsettled(2);
    site.run("UPDATE handoff.orders SET request_status = 'error' WHERE id = 2");

    Unit unit = unit(b, 3);
    UnitVerdict verdict = verdict(unit);

    assertThat(verdict).isEqualTo(new UnitVerdict.AppliedEarlier(List.of(2L)));
    b.settleFound(unit.begun(), unit.work(), (UnitVerdict.AppliedEarlier) verdict);
    assertThat(site.statuses()).containsExactly("complete", "complete", "new", "new");
    assertThat(document("x")).isEqualTo("{\"n\":2}");
  }

  private void forgetAll() throws Exception {
    site.run("TRUNCATE handoff.orders RESTART IDENTITY");
  }

  /** The effect is there, and the COMMIT is lost. */
  private void workUnsettled(long id) throws Exception {
    Unit unit = unit(a, id);
    assertThat(verdict(unit)).isInstanceOf(UnitVerdict.RequestsSettled.class);
    a.takeBack(unit.begun());
  }

  private void workAll() throws Exception {
    while (claim(a, 0) instanceof Claim.Begun begun) {
      Unit unit = unit(a, begun);
      UnitVerdict verdict = verdict(unit);
      if (verdict instanceof UnitVerdict.AppliedEarlier found) {
        a.settleFound(begun, unit.work(), found);
      } else {
        a.settle(begun, unit.work(), (UnitVerdict.RequestsSettled) verdict);
      }
    }
  }

  private UnitVerdict verdict(Unit unit) throws InterruptedException {
    return documents.work(unit.work(), a, TestRoom.AMPLE);
  }

  private String document(String entity) {
    Body body = bucket.objects().get("orders/" + entity + ".json");
    return StoredDocument.read(body.bytes(), body.metadata()).orElseThrow().text();
  }
}
