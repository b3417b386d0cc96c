package dev.recorder.capture.postgres.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.postgres.snapshot.ChunkOrder.PlaceRange;
import dev.recorder.capture.postgres.snapshot.ChunkOrder.Turn;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ChunkOrderTest {
  private static final Duration NOT_AT_ALL = Duration.ZERO;

  private final ChunkOrder order = new ChunkOrder(10, 100, Ticker.system());

  @Test
  void eachPlaceIsTakenOnceUpToTheEnd() {
    assertThat(order.take(40)).contains(new PlaceRange(10, 50));
    assertThat(order.take(30)).contains(new PlaceRange(50, 80));
    assertThat(order.take(30)).contains(new PlaceRange(80, 100));
    assertThat(order.take(30)).isEmpty();
  }

  @Test
  void theTurnOfAPlaceComesWhenAllBeforeItAreHandedOver() throws Exception {
    order.take(40);
    order.take(50);

    assertThat(order.await(10, NOT_AT_ALL)).isEqualTo(Turn.COME);
    assertThat(order.await(50, NOT_AT_ALL)).isEqualTo(Turn.NOT_YET);
    order.handedOver(30);
    assertThat(order.await(50, NOT_AT_ALL)).as("a part of a range").isEqualTo(Turn.NOT_YET);
    order.handedOver(50);
    assertThat(order.await(50, NOT_AT_ALL)).isEqualTo(Turn.COME);
    assertThat(order.isDone()).isFalse();
    order.handedOver(100);
    assertThat(order.isDone()).isTrue();
  }

  @Test
  void whoWaitsIsToldOfTheTurnAndOfTheEnd() throws Exception {
    CompletableFuture<Turn> turn = waiting(50);
    order.handedOver(50);
    assertThat(turn.get()).isEqualTo(Turn.COME);

    CompletableFuture<Turn> none = waiting(80);
    order.end();
    assertThat(none.get()).isEqualTo(Turn.NEVER);
  }

  @Test
  void nothingIsTakenOrInTurnOnceItHasEnded() throws Exception {
    order.end();

    assertThat(order.take(1)).isEmpty();
    assertThat(order.await(10, NOT_AT_ALL)).isEqualTo(Turn.NEVER);
    assertThat(order.isDone()).isFalse();
  }

  private CompletableFuture<Turn> waiting(long place) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return order.await(place, Duration.ofMinutes(1));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
