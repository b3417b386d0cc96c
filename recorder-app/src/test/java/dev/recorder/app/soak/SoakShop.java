package dev.recorder.app.soak;

import dev.recorder.app.shop.CapturedShop;
import dev.recorder.app.shop.ShopClients;
import dev.recorder.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A shop whose tables are captured into a log of the soak's, and are rebuilt from it at its end.
 */
final class SoakShop {
  /** The log. */
  static final String NAME = "shop";

  /** It is one of several things that go on. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final Duration RECORDED_WITHIN = Duration.ofMinutes(3);

  private final Stage stage;
  private final Journal journal;
  private final CapturedShop shop;
  private final ShopClients clients;
  private long changes;

  private SoakShop(Stage stage, Journal journal, CapturedShop shop, ShopClients clients) {
    this.stage = stage;
    this.journal = journal;
    this.shop = shop;
    this.clients = clients;
  }

  /** Opens it, with clients at work; the recorder's tables must be there. */
  static SoakShop open(Stage stage, Journal journal, long seed) {
    try {
      CapturedShop shop = CapturedShop.make(stage.cluster(), NAME);
      ShopClients clients = ShopClients.start(stage.cluster().database(), seed, PAUSE);
      return new SoakShop(stage, journal, shop, clients);
    } catch (SQLException | RuntimeException failed) {
      throw new IllegalStateException("the shop could not be opened", failed);
    }
  }

  /** Ends its clients, and waits for what they have changed; false if it takes long. */
  boolean awaitDone() throws SQLException, InterruptedException {
    try (clients) {
      clients.stop();
      changes = shop.awaitRecorded(RECORDED_WITHIN);
      return true;
    } catch (AssertionError | IllegalStateException failed) {
      journal.blame("%s: %s %s", NAME, failed.getMessage(), failed.getCause());
      return false;
    }
  }

  /** Rebuilds its tables from the bucket; blames those that are others. */
  void prove(Map<String, Object> figures) throws SQLException {
    try (TestDatabase target =
        TestDatabase.createOn(stage.cluster().database().server(), TestDatabase.ROLE)) {
      List<String> others = shop.replayedOtherwise(target);
      others.forEach(table -> journal.blame("%s, replayed: %s", NAME, table));
    } catch (IllegalStateException failed) {
      journal.blame("%s: %s", NAME, failed.getMessage());
    }
    figures.put("captured", changes);
  }
}
