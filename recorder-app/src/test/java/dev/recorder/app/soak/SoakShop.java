package dev.recorder.app.soak;

import dev.recorder.app.harness.proof.EntityDocuments;
import dev.recorder.app.shop.CapturedShop;
import dev.recorder.app.shop.DocumentedShop;
import dev.recorder.app.shop.ShopClients;
import dev.recorder.testing.servers.BucketServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A shop whose tables are captured into a log of the soak's, and are rebuilt from it at its end;
 * and into a document for each of its customers, which is then as a query makes it.
 */
final class SoakShop {
  /** The log. */
  static final String NAME = "shop";

  private static final int DOCUMENTS_LOCK = 99;

  /** The documents' recorder, where the store takes any. */
  private static final List<String> DOCUMENTS =
      BucketServer.chosenTakesDocuments() ? List.of("customers") : List.of();

  /** It is one of several things that go on. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final Duration RECORDED_WITHIN = Duration.ofMinutes(3);

  private final Stage stage;
  private final Journal journal;
  private final CapturedShop shop;
  private final List<EntityDocuments> documented = new ArrayList<>();
  private final ShopClients clients;
  private long changes;

  private SoakShop(Stage stage, Journal journal, long seed) throws SQLException {
    this.stage = stage;
    this.journal = journal;
    this.shop = CapturedShop.make(stage.cluster(), NAME);
    for (String recorder : DOCUMENTS) {
      documented.add(DocumentedShop.of(stage.cluster(), recorder));
    }
    this.clients = ShopClients.start(stage.cluster().database(), seed, PAUSE);
  }

  /** Its section, if there is one: whoever is killed in the midst of a request has tried it. */
  static String section() {
    return DOCUMENTS.stream()
        .map(name -> DocumentedShop.section(name, DOCUMENTS_LOCK) + "max_attempts = 1000\n")
        .collect(Collectors.joining());
  }

  /** Opens it, with clients at work; the recorder's tables must be there. */
  static SoakShop open(Stage stage, Journal journal, long seed) {
    try {
      return new SoakShop(stage, journal, seed);
    } catch (SQLException | RuntimeException failed) {
      throw new IllegalStateException("the shop could not be opened", failed);
    }
  }

  /** Ends its clients, and waits for what they have changed; false if it takes long. */
  boolean awaitDone() throws SQLException, InterruptedException {
    try (clients) {
      clients.stop();
      changes = shop.awaitRecorded(RECORDED_WITHIN);
      for (EntityDocuments each : documented) {
        each.awaitDone(RECORDED_WITHIN);
      }
      return true;
    } catch (AssertionError | IllegalStateException failed) {
      journal.blame("%s: %s %s", NAME, failed.getMessage(), failed.getCause());
      return false;
    }
  }

  /** Rebuilds its tables from the bucket, and asks for each document; blames what is otherwise. */
  void prove(Map<String, Object> figures) throws SQLException {
    try (TestDatabase target =
        TestDatabase.createOn(stage.cluster().database().server(), TestDatabase.ROLE)) {
      List<String> others = shop.replayedOtherwise(target);
      others.forEach(table -> journal.blame("%s, replayed: %s", NAME, table));
    } catch (IllegalStateException failed) {
      journal.blame("%s: %s", NAME, failed.getMessage());
    }
    int documents = 0;
    for (EntityDocuments each : documented) {
      each.others().forEach(document -> journal.blame("document of %s", document));
      documents += each.count();
    }
    figures.put("captured", changes);
    figures.put("documents", documents);
  }
}
