package dev.recorder.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.Changed;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.PutAnswer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What documents ask of every store besides, the fake and the real ones. */
public abstract class DocumentStoreContract extends ObjectStoreContract {
  private final String folder = "prefix/documents-" + UUID.randomUUID() + "/";

  @Override
  protected abstract DocumentStore store();

  @Override
  protected abstract DocumentStore storeWithoutBucket();

  @Test
  void whatIsFetchedCanBeReplacedOnce() {
    Fetched first = created("1.json", "first");

    assertThat(replace("1.json", "second", first.etag())).isInstanceOf(Created.class);
    assertThat(replace("1.json", "third", first.etag())).isInstanceOf(Changed.class);

    Fetched now = fetched("1.json");
    assertThat(now.bytes()).isEqualTo(bytes("second"));
    assertThat(now.metadata()).isEqualTo(Map.of("writer", "second"));
    assertThat(now.etag()).isNotEqualTo(first.etag());
  }

  @Test
  void whatIsGoneOrNeverWasCannotBeReplaced() {
    Fetched other = created("1.json", "first");

    assertThat(replace("2.json", "second", other.etag())).isInstanceOf(Changed.class);

    assertThat(store().fetch(folder + "2.json")).isInstanceOf(ObjectStore.Absent.class);
  }

  @Test
  void whatIsReplacedStaysWhatACreateFinds() {
    replace("1.json", "second", created("1.json", "first").etag());

    assertThat(store().putIfAbsent(folder + "1.json", bytes("third"), Map.of()))
        .isInstanceOf(ObjectStore.AlreadyThere.class);
  }

  /** Of an object under a wrong condition not even the metadata may change. */
  @Test
  void ofRacingReplacementsExactlyOneWinsAndItsBytesAndMetadataAreThere() throws Exception {
    Fetched before = created("1.json", "first");
    for (int race = 0; race < RACES; race++) {
      String name = "of race " + race + " racer ";
      String etag = before.etag();
      String winner = name + winner(Changed.class, racer -> replace("1.json", name + racer, etag));

      before = fetched("1.json");
      assertThat(before.bytes()).isEqualTo(bytes(winner));
      assertThat(before.metadata()).isEqualTo(Map.of("writer", winner));
    }
  }

  @Test
  void keysOfEveryKindOfCharacterStayApart() {
    List<String> keys = List.of("a%2Fb.json", "a%252Fb.json", "%2E%2E.json", "...json", "~-_.json");

    keys.forEach(key -> created(key, key));

    assertThat(keys).allSatisfy(key -> assertThat(fetched(key).bytes()).isEqualTo(bytes(key)));
  }

  @Test
  void anObjectThatIsNotToBeReadIsToldByItsSize() {
    created("1.json", "ten bytes.");

    Fetched read = fetched("1.json");
    assertThat(store().fetch(folder + "1.json", bytes -> bytes < 10))
        .isEqualTo(new ObjectStore.NotRead(10, Map.of("writer", "ten bytes."), read.etag()));
    assertThat(store().fetch(folder + "1.json", bytes -> bytes <= 10)).isInstanceOf(Fetched.class);
  }

  @Test
  void aMissingBucketIsForAnOperatorToRemedyHereToo() {
    DocumentStore store = storeWithoutBucket();

    for (Object answer :
        List.of(
            store.fetch(folder + "1.json"),
            store.putIfMatch(folder + "1.json", bytes("body"), Map.of(), "\"0\""))) {
      assertThat(answer)
          .isInstanceOfSatisfying(
              ObjectStore.Unclear.class, unclear -> assertThat(unclear.remediable()).isFalse());
    }
  }

  private Fetched created(String name, String body) {
    assertThat(store().putIfAbsent(folder + name, bytes(body), Map.of("writer", body)))
        .isInstanceOf(Created.class);
    return fetched(name);
  }

  private PutAnswer replace(String name, String body, String etag) {
    return store().putIfMatch(folder + name, bytes(body), Map.of("writer", body), etag);
  }

  private Fetched fetched(String name) {
    ObjectStore.FetchAnswer answer = store().fetch(folder + name);
    assertThat(answer).isInstanceOf(Fetched.class);
    return (Fetched) answer;
  }
}
