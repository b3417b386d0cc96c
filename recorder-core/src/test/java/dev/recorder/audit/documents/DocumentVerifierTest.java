package dev.recorder.audit.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.audit.AuditResult;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.document.EntityKey;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.MemoryStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that the product's worker made, and what is done to them behind its back. */
class DocumentVerifierTest {
  private final RequestsInMemory requests = new RequestsInMemory();

  // What is right

  @Test
  void documentsThatTheirRequestsMadeAreRight() throws Exception {
    ada();
    requests.work("b/1", requests.create("b/1", null));
    long first = requests.update("never created", "{\"a\":1}");
    long second = requests.update("never created", "{\"a\":null,\"b\":2}");
    requests.work("never created", first, second);

    assertThat(verify())
        .isEqualTo(new AuditResult("orders", 3, 6, 6, 0, 0, 0, 0, 0, List.of(), 0, List.of()));
    assertThat(verify().ok()).isTrue();
  }

  @Test
  void theOrderIsThatOfTheUnitsAndNotOfTheIds() throws Exception {
    requests.work("x", requests.create("x", "{\"n\":0}"));
    long committedLate = requests.update("x", "{\"n\":1}");
    long early = requests.update("x", "{\"n\":2}");
    requests.work("x", early);
    requests.work("x", committedLate);

    assertThat(verify().ok()).isTrue();
    say("x", "{\"n\":2}");
    assertThat(verify().hashMismatches()).isEqualTo(1);
  }

  @Test
  void aRequestThatFailedIsExpectedNowhere() throws Exception {
    ada();
    requests.work("ada", requests.update("ada", "\"\\ud800\""));

    assertThat(requests.of("ada").get(3).status()).isEqualTo(RequestStatus.ERROR);
    assertRight(3);
  }

  @Test
  void anEntityOfWhichNothingIsCompleteNeedsNoObject() throws Exception {
    requests.create("waits", "{}");
    requests.set(requests.update("given up", "{}"), RequestStatus.ERROR, 0);

    assertThat(verify())
        .isEqualTo(new AuditResult("orders", 0, 0, 0, 0, 0, 0, 0, 0, List.of(), 0, List.of()));
  }

  @Test
  void aTextThatSaysTheSameIsAsGood() throws Exception {
    ada();
    say("ada", " {\"n\": 2,\n \"name\": \"Ada\"}");

    assertThat(verify().ok()).isTrue();
  }

  // What is wrong

  @Test
  void aMissingObjectLosesItsRequests() throws Exception {
    ada();
    requests.bucket.delete(key("ada"));

    AuditResult verdict = verify();
    assertThat(verdict.ok()).isFalse();
    assertThat(verdict.lost()).isEqualTo(3);
    assertThat(verdict.slots()).isZero();
    assertThat(verdict.compared()).isZero();
    assertThat(verdict.findings())
        .containsExactly("entity 'ada' has 3 complete requests and no object");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // the last update was not applied; or in another order; or the first of them once more
        "{\"name\":\"Ada\",\"n\":1}",
        // neither was
        "{\"name\":\"Ada\",\"n\":0}",
        // something that nobody asked for
        "{\"name\":\"Ada\",\"n\":2,\"m\":3}",
        // the create was not
        "{\"n\":2}",
        "[]",
        "null",
        "{\"name\":\"Ada\",\"n\":2",
        "nonsense",
        ""
      })
  void aDocumentThatSaysSomethingElseIsFound(String text) throws Exception {
    ada();
    say("ada", text);

    AuditResult verdict = verify();
    assertThat(verdict.ok()).isFalse();
    assertThat(verdict.hashMismatches()).isEqualTo(1);
    assertThat(verdict.lost()).isZero();
    assertThat(verdict.compared()).isEqualTo(3);
    assertThat(verdict.findings())
        .containsExactly("entity 'ada': its object is not what its 3 complete requests make it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":2,\"b\":2}", "{\"a\":1}", "{}", "5", "{\"a\":1", "nonsense", ""})
  void aDocumentThatNoCreateMadeHasAllUpdatesInIt(String text) throws Exception {
    requests.work("x", requests.update("x", "{\"a\":2,\"c\":null}"));
    requests.work("x", requests.update("x", "{\"a\":1,\"b\":2}"));
    say("x", text);

    assertThat(verify().hashMismatches()).isEqualTo(1);
  }

  @Test
  void whateverWasThereBeforeTheFirstUpdateIsNotHeldAgainstADocument() throws Exception {
    say("x", "{\"before\":0,\"a\":0}");
    requests.work("x", requests.update("x", "{\"a\":1}"));

    assertThat(verify().ok()).isTrue();
  }

  @Test
  void anObjectThatIsNotEvenTextIsFound() throws Exception {
    ada();
    requests.bucket.overwrite(key("ada"), new byte[] {(byte) 0xff}, stampOf("ada"));

    assertThat(verify().hashMismatches()).isEqualTo(1);
  }

  @Test
  void anObjectThatIsLargerThanAnyDocumentIsFoundAndNotRead() throws Exception {
    ada();
    requests.bucket.overwrite(key("ada"), new byte[(16 << 20) + 1], stampOf("ada"));

    assertThat(verify().findings())
        .containsExactly(
            "entity 'ada': object %s is no document: it has 16777217 bytes, and 16777216 are the most for one; if max_payload was larger when it was written, raise it"
                .formatted(key("ada")));
  }

  @Test
  void aPayloadThatNoDocumentCanHaveInItIsNotMadeRightByItsStatus() throws Exception {
    ada();
    requests.set(requests.update("ada", "\"\\ud800\""), RequestStatus.COMPLETE, 500);

    assertThat(verify().hashMismatches()).isEqualTo(1);
  }

  @Test
  void oneWrongDocumentAmongManyIsNamed() throws Exception {
    for (int i = 1; i <= 20; i++) {
      requests.work("e" + i, requests.create("e" + i, "{\"i\":" + i + "}"));
    }
    say("e13", "{\"i\":14}");

    AuditResult verdict = verify();
    assertThat(verdict.findings())
        .containsExactly("entity 'e13': its object is not what its 1 complete requests make it");
    assertThat(verdict.slots()).isEqualTo(20);
  }

  // What is not decided

  @Test
  void aRequestInErrorThatHasTakenEffectIsWorthANoteAndNoFault() throws Exception {
    ada();
    long cancelled = requests.update("ada", "{\"n\":3}");
    requests.workUnsettled("ada", cancelled);
    requests.set(cancelled, RequestStatus.ERROR, 0);

    assertRight(
        3,
        "request 4 of entity 'ada' is in status error and has taken effect; it becomes complete"
            + " when the entity is next worked on");

    say("ada", "{\"name\":\"Ada\",\"n\":2}");
    assertThat(verify().hashMismatches()).isEqualTo(1);
  }

  @Test
  void aRequestInErrorIsNotTakenForALostOneThatHadItsId() throws Exception {
    ada();
    long lost = requests.update("ada", "{\"n\":3}");
    requests.workUnsettled("ada", lost);
    requests.replace(lost, "{\"n\":4}");
    requests.set(lost, RequestStatus.ERROR, 0);

    AuditResult verdict = verify();
    assertThat(verdict.findings())
        .containsExactly("entity 'ada': its object is not what its 3 complete requests make it");
    assertThat(verdict.notes()).isEmpty();
  }

  @Test
  void aCreateInErrorThatHasTakenEffectIsWhereItsDocumentBegins() throws Exception {
    long cancelled = requests.create("x", "{\"a\":1}");
    requests.workUnsettled("x", cancelled);
    requests.set(cancelled, RequestStatus.ERROR, 0);
    assertThat(verify().notes()).isEmpty();

    requests.set(requests.update("x", "{\"b\":2}"), RequestStatus.COMPLETE, 7);
    say("x", "{\"a\":1,\"b\":2}");
    assertThat(verify().notes()).hasSize(1);
    assertThat(verify().ok()).isTrue();
    say("x", "{\"a\":2,\"b\":2}");
    assertThat(verify().ok()).isFalse();
  }

  @Test
  void anEntityWhoseObjectIsAheadOfTheTableIsLeftOut() throws Exception {
    ada();
    requests.workUnsettled("ada", requests.update("ada", "{\"n\":3}"));

    assertRight(0, "1 entity was being worked on, and not compared");
    assertThat(verify().slots()).isZero();
  }

  @Test
  void anEntityThatMovesAtEachLookIsLeftOut() throws Exception {
    ada();
    requests.beforeLook = look -> requests.update("ada", "{\"look\":" + look + "}");

    assertThat(verify().notes()).containsExactly("1 entity was being worked on, and not compared");
  }

  @Test
  void anEntityThatMovedOnceIsLookedAtAgain() throws Exception {
    ada();
    long update = requests.update("ada", "{\"n\":3}");
    requests.countLooks();
    requests.beforeLook =
        look -> {
          if (look == 2) {
            requests.beforeLook = more -> {};
            requests.work("ada", update);
          }
        };

    assertRight(4);
  }

  @Test
  void whereRequestsHaveBeenClearedAwayOnlyTheObjectsAreLookedFor() throws Exception {
    ada();
    requests.work("gone", requests.create("gone", "{}"));
    requests.bucket.delete(key("gone"));
    say("ada", "{\"something\":\"else\"}");

    AuditResult verdict = verify(false);
    assertThat(verdict.hashMismatches()).isZero();
    assertThat(verdict.lost()).isEqualTo(1);
    assertThat(verdict.slots()).isEqualTo(1);
    assertThat(verdict.rows()).isEqualTo(4);
    assertThat(verdict.compared()).isZero();
    assertThat(verdict.notes())
        .containsExactly("history is set: what the documents say was not compared");
  }

  @Test
  void aStoreWithoutAnAnswerProvesNothing() {
    ada();

    UnreadableSlotException unreadable =
        catchThrowableOfType(
            UnreadableSlotException.class, () -> verify(MemoryStore.withoutBucket(), true));
    assertThat(unreadable).hasMessageContaining("orders/ada.json: no such bucket");
    assertThat(unreadable.isUnreachable()).isTrue();
  }

  // Which entities

  @ParameterizedTest
  @ValueSource(strings = {"", "ÄÄÄÄÄ"})
  void anEntityWhoseIdMakesNoKeyHasNoObject(String text) throws Exception {
    String entity = text.repeat(100);
    requests.set(requests.create(entity, "{}"), RequestStatus.ERROR, 1);
    assertThat(verify().ok()).isTrue();

    requests.set(requests.update(entity, "{}"), RequestStatus.COMPLETE, 2);
    assertThat(verify().lost()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {499, 500, 501, 1_001})
  void allEntitiesAreLookedAtPageByPage(int entities) throws Exception {
    for (int i = 1; i <= entities; i++) {
      String entity = "e%04d".formatted(i);
      requests.work(entity, requests.create(entity, "{}"));
    }
    requests.bucket.delete(key("e%04d".formatted(entities)));

    AuditResult verdict = verify();
    assertThat(verdict.slots()).isEqualTo(entities - 1);
    assertThat(verdict.rows()).isEqualTo(entities);
    assertThat(verdict.lost()).isEqualTo(1);
    assertThat(requests.pages).allMatch(page -> page <= 500);
  }

  /** Nothing is wrong, and of so many complete requests; this is worth saying. */
  private void assertRight(long rows, String... notes) throws UnreadableSlotException {
    AuditResult verdict = verify();
    assertThat(verdict.ok()).isTrue();
    assertThat(verdict.rows()).isEqualTo(rows);
    assertThat(verdict.notes()).containsExactly(notes);
  }

  /** A create and two updates, of one unit each. */
  private void ada() {
    requests.work("ada", requests.create("ada", "{\"name\":\"Ada\",\"n\":0}"));
    requests.work("ada", requests.update("ada", "{\"n\":1}"));
    requests.work("ada", requests.update("ada", "{\"n\":2}"));
  }

  /** Lets an entity's object say something else, under whatever metadata it has. */
  private void say(String entity, String text) {
    requests.bucket.overwrite(key(entity), text.getBytes(UTF_8), stampOf(entity));
  }

  private Map<String, String> stampOf(String entity) {
    ObjectStore.Body object = requests.bucket.objects().get(key(entity));
    return object == null ? Map.of() : object.metadata();
  }

  private static String key(String entity) {
    return ((EntityKey.Usable) RequestsInMemory.LAYOUT.key(entity)).key();
  }

  private AuditResult verify() throws UnreadableSlotException {
    return verify(true);
  }

  private AuditResult verify(boolean allKept) throws UnreadableSlotException {
    return verify(requests.bucket, allKept);
  }

  private AuditResult verify(ObjectStore store, boolean allKept) throws UnreadableSlotException {
    return new DocumentVerifier(store, RequestsInMemory.LAYOUT, requests, allKept, 1_000).verify();
  }
}
