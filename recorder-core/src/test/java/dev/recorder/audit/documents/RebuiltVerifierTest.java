package dev.recorder.audit.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.AuditResult;
import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.testing.servers.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Documents beside what the query says of their entity. */
class RebuiltVerifierTest {
  private final MemoryStore store = new MemoryStore();
  private final List<RequestRecords.RecordedRequest> rows = new ArrayList<>();
  private @Nullable String document = "{\"n\": 1}";
  private String fault = "";

  /** Happens behind the verifier's first look. */
  private Runnable meanwhile = () -> {};

  private final class Records implements EntityRecords {
    @Override
    public EntitySnapshot state(String entity) {
      EntitySnapshot state = new EntitySnapshot(rows, document, fault);
      meanwhile.run();
      meanwhile = () -> {};
      return state;
    }

    @Override
    public List<String> entities(@Nullable String after, int limit) {
      return after == null ? List.of("e") : List.of();
    }

    @Override
    public List<RecordedRequest> of(String entity) {
      return List.copyOf(rows);
    }
  }

  private void request(long id, RequestStatus status) {
    rows.add(new RequestRecords.RecordedRequest(id, RequestType.UPDATE, status, id, null, 0));
  }

  private void says(String text, Map<String, String> metadata) {
    store.overwrite("orders/e.json", text.getBytes(UTF_8), metadata);
  }

  private AuditResult verify() throws Exception {
    DocumentLayout layout = new DocumentLayout("", "bucket", "", new RecorderName("orders"));
    return new RebuiltVerifier(store, layout, new Records(), true, 1_000).verify();
  }

  @Test
  void aDocumentThatSaysWhatTheQuerySaysIsRight() throws Exception {
    request(1, RequestStatus.COMPLETE);
    says("{\"n\":1}", Map.of());

    assertThat(verify())
        .isEqualTo(new AuditResult("orders", 1, 1, 1, 0, 0, 0, 0, 0, List.of(), 0, List.of()));
  }

  @Test
  void oneThatSaysSomethingElseIsNot() throws Exception {
    request(1, RequestStatus.COMPLETE);
    says("{\"n\":1.0}", Map.of());

    assertThat(verify().hashMismatches()).isEqualTo(1);
    assertThat(verify().findings().get(0)).contains("a table that the query reads may not be");
  }

  @Test
  void anObjectThatIsLargerThanAnyDocumentIsFoundAndNotRead() throws Exception {
    request(1, RequestStatus.COMPLETE);
    store.overwrite("orders/e.json", new byte[(16 << 20) + 1], Map.of());

    assertThat(verify().findings())
        .singleElement()
        .asString()
        .startsWith("entity 'e': object orders/e.json is no document: it has 16777217 bytes");
  }

  @Test
  void anEntityThatIsGoneIsToBeMarkedAndNoOther() throws Exception {
    request(1, RequestStatus.COMPLETE);
    says("{\"n\":1}", Map.of("deleted", "true"));
    assertThat(verify().hashMismatches()).isEqualTo(1);

    document = null;
    assertThat(verify().ok()).isTrue();
    says("{\"n\":1}", Map.of());
    assertThat(verify().hashMismatches()).isEqualTo(1);
  }

  @Test
  void aMissingObjectLosesItsRequests() throws Exception {
    request(1, RequestStatus.COMPLETE);
    request(2, RequestStatus.ERROR);

    assertThat(verify().lost()).isEqualTo(1);
  }

  @Test
  void whatIsOpenIsNotCompared() throws Exception {
    request(1, RequestStatus.COMPLETE);
    request(2, RequestStatus.NEW);
    says("{\"n\":0}", Map.of());

    assertThat(verify().ok()).isTrue();
    assertThat(verify().notes()).containsExactly("1 entity was being worked on, and not compared");
  }

  @Test
  void whatIsChangedBetweenTheLooksIsLookedAtAgain() throws Exception {
    request(1, RequestStatus.COMPLETE);
    meanwhile =
        () -> {
          document = "{\"n\":2}";
          request(2, RequestStatus.COMPLETE);
          says("{\"n\":2}", Map.of());
        };

    assertThat(verify().ok()).isTrue();
    assertThat(verify().compared()).isEqualTo(2);
  }

  @Test
  void anOldDocumentBesideAnErrorIsNotedAndNoFault() throws Exception {
    request(1, RequestStatus.COMPLETE);
    request(2, RequestStatus.ERROR);
    says("{\"n\":0}", Map.of());

    assertThat(verify().ok()).isTrue();
    assertThat(verify().notes().get(0)).contains("recorder requests retry");
  }

  @Test
  void whatTheQueryCannotSayIsNoted() throws Exception {
    request(1, RequestStatus.COMPLETE);
    says("{\"n\":1}", Map.of());
    document = null;
    fault = "the query failed: no such column";

    assertThat(verify().ok()).isTrue();
    assertThat(verify().notes()).containsExactly("entity 'e' was not compared: " + fault);
  }
}
