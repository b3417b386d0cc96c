package dev.recorder.requests.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.requests.Prefetched;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PrefetchQueueTest {
  private long now;
  private final PrefetchQueue prefetchQueue = new PrefetchQueue(() -> now);

  @Test
  void nobodyLooksBeforeALongRowOfClaims() {
    for (int i = 0; i < PrefetchQueue.CLAIMS_BETWEEN; i++) {
      assertThat(prefetchQueue.lookFrom(7)).isEmpty();
      assertThat(prefetchQueue.next(7)).isEmpty();
    }
    assertThat(prefetchQueue.lookFrom(7)).isEqualTo(OptionalLong.of(7));
  }

  @Test
  void oneLooksAtATime() {
    assertThat(dueFrom(7)).isEqualTo(OptionalLong.of(7));
    assertThat(prefetchQueue.lookFrom(7)).isEmpty();
    prefetchQueue.seen(List.of());
    assertThat(dueFrom(8)).isEqualTo(OptionalLong.of(8));
  }

  @Test
  void createsAreTakenOnceAndInTheirOrder() {
    dueFrom(7);
    prefetchQueue.seen(creates(1, 2));
    assertThat(prefetchQueue.next(7)).contains(new Prefetched(1, "e1"));
    assertThat(prefetchQueue.next(7)).contains(new Prefetched(2, "e2"));
    assertThat(prefetchQueue.next(7)).isEmpty();
  }

  @Test
  void whenFewAreLeftSomebodyLooksBehindTheLast() {
    dueFrom(7);
    prefetchQueue.seen(creates(10, PrefetchQueue.FEW + 1));
    assertThat(prefetchQueue.lookFrom(9)).isEmpty();
    prefetchQueue.next(7);
    assertThat(prefetchQueue.lookFrom(9)).isEqualTo(OptionalLong.of(10 + PrefetchQueue.FEW));
    prefetchQueue.seen(creates(1_000, 1));
    take(PrefetchQueue.FEW);
    assertThat(prefetchQueue.next(7)).contains(new Prefetched(1_000, "e1000"));
  }

  @Test
  void afterALookThatBroughtLittleTheNextComesManyClaimsLater() {
    dueFrom(7);
    prefetchQueue.seen(creates(10, PrefetchQueue.FEW - 1));
    for (int i = 0; i < PrefetchQueue.CLAIMS_BETWEEN; i++) {
      assertThat(prefetchQueue.lookFrom(7)).isEmpty();
      prefetchQueue.next(7);
    }
    assertThat(prefetchQueue.lookFrom(7)).isPresent();
  }

  @Test
  void createsThatNobodyHasTakenForAWhileAreForgotten() {
    dueFrom(7);
    prefetchQueue.seen(creates(10, 100));
    now += PrefetchQueue.FRESH.toNanos();
    assertThat(prefetchQueue.next(7)).isPresent();
    now += PrefetchQueue.FRESH.toNanos() + 1;
    assertThat(prefetchQueue.next(7)).isEmpty();
    assertThat(prefetchQueue.lookFrom(7)).isEqualTo(OptionalLong.of(7));
  }

  @Test
  void aPassThatIsNotAsFarYetGetsNone() {
    dueFrom(7);
    prefetchQueue.seen(creates(10, PrefetchQueue.FEW));
    assertThat(prefetchQueue.next(6)).isEmpty();
    assertThat(prefetchQueue.next(7)).contains(new Prefetched(10, "e10"));
    assertThat(prefetchQueue.next(1_000)).contains(new Prefetched(11, "e11"));
    assertThat(prefetchQueue.lookFrom(1_000)).isEqualTo(OptionalLong.of(9 + PrefetchQueue.FEW));
    prefetchQueue.seen(creates(100, 1));
    assertThat(prefetchQueue.next(7)).isPresent();
  }

  private OptionalLong dueFrom(long line) {
    take(PrefetchQueue.CLAIMS_BETWEEN);
    return prefetchQueue.lookFrom(line);
  }

  private void take(int count) {
    for (int i = 0; i < count; i++) {
      prefetchQueue.next(7);
    }
  }

  private static List<Prefetched> creates(long first, int count) {
    return LongStream.range(first, first + count)
        .mapToObj(id -> new Prefetched(id, "e" + id))
        .toList();
  }
}
