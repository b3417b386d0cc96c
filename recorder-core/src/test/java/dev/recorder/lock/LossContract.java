package dev.recorder.lock;

import static dev.recorder.lock.Leases.finish;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.LockKind.Client;
import dev.recorder.lock.LossSite.Undo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every kind promises whose leases say that they are lost: of each harm whether it ends a
 * lease, how the holder is told, and how soon. Its table is the kind's {@code stated()}.
 */
@Timeout(600)
abstract class LossContract {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final Supplier<LossSite> opening;
  private final Set<Harm> impossible;
  private final List<StatedLoss> stated;
  private final JumpingTicker clock = new JumpingTicker();
  private final Events events = new Events();
  private final List<Client> clients = new ArrayList<>();
  private LossSite site;
  private String name = "";

  /**
   * Of a kind.
   *
   * @param impossible what cannot befall its leases
   */
  LossContract(Supplier<LossSite> opening, List<StatedLoss> stated, Set<Harm> impossible) {
    this.opening = opening;
    this.stated = stated;
    this.impossible = impossible;
  }

  @BeforeEach
  void open() {
    site = opening.get();
  }

  @AfterEach
  void close() throws Exception {
    clients.forEach(Client::close);
    site.close();
  }

  @Test
  void ofEveryHarmTheKindSaysWhatItDoes() {
    assertThat(stated).extracting(StatedLoss::harm).doesNotHaveDuplicates();
    Set<Harm> possible = EnumSet.allOf(Harm.class);
    possible.removeAll(impossible);
    assertThat(stated).extracting(StatedLoss::harm).hasSameElementsAs(possible);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stated")
  void aLeaseEndsOrGoesOnAsItsKindSays(StatedLoss stated) throws Exception {
    name = "harmed/" + stated.harm().name();
    DistributedLock held =
        opened(site.holder(stated.harm(), new Instruments(clock, events))).lock(name);
    Lease lease = acquired(held);
    assertThat(lease.token()).as("one that can be compared when it is lost").isPositive();
    assertThat(asked(other())).isEmpty();
    long last =
        stated.cause().isPresent() ? losesIt(lease, stated) : keepsIt(lease, stated).token();

    Lease own = acquired(held);
    assertThat(own.token()).as("of who had lost it, and goes on").isGreaterThan(last);
    finish(own);
  }

  /** The token of its successor, who has come and gone. */
  private long losesIt(Lease lease, StatedLoss stated) throws Exception {
    CompletableFuture<Long> toldAt =
        lease.lost().thenApply(loss -> System.nanoTime()).toCompletableFuture();
    long asked = clock.nanos();
    Duration left = lease.remaining();
    CompletableFuture<Long> toldAtByItsClock =
        lease.lost().thenApply(loss -> clock.nanos()).toCompletableFuture();
    Optional<Lease> successor = Optional.empty();
    long begun = System.nanoTime();
    try (Undo undo = done(lease, stated)) {
      long doneAt = isAtOnce(stated.harm()) ? begun : System.nanoTime();
      Optional<CompletableFuture<Lease>> waiter = waiterForWhatIsCutOff(stated.harm(), lease);
      isKeptInVain(lease, stated);
      long allowed = stated.allowed().toMillis();
      Loss loss = lease.lost().toCompletableFuture().get(allowed, TimeUnit.MILLISECONDS);
      Duration took = Duration.ofNanos(Math.max(0, toldAt.get() - doneAt));
      figure(stated, "told after " + took.toMillis() + " ms");
      assertThat(took).isLessThan(stated.allowed());
      assertThat(Optional.of(loss.cause())).isEqualTo(stated.cause());
      if (loss.cause() == Loss.Cause.LEASE_EXPIRED) {
        assertThat(toldAtByItsClock.get() - asked).isGreaterThanOrEqualTo(left.toNanos());
      }
      isOver(lease, loss);
      if (stated.isDoubtedBefore()) {
        assertThat(events.told()).containsSubsequence("in doubt", "lost: " + loss.cause());
      }
      if (waiter.isPresent()) {
        successor = Optional.of(waiter.get().get(LONG.toMillis(), TimeUnit.MILLISECONDS));
      }
    }
    return isLeftAloneByItsFormerHolder(lease, successor.orElseGet(() -> acquired(other())));
  }

  /** One that has it while its former holder cannot be reached, and not before that knows it. */
  private Optional<CompletableFuture<Lease>> waiterForWhatIsCutOff(Harm harm, Lease former) {
    if (harm != Harm.NETWORK_CUT) {
      return Optional.empty();
    }
    DistributedLock other = other();
    return Optional.of(
        CompletableFuture.supplyAsync(
            () -> {
              Lease lease = acquired(other);
              assertThat(former.state()).isEqualTo(LeaseState.LOST);
              return lease;
            }));
  }

  /** Others take their time, and end in what is to be noticed. */
  private static boolean isAtOnce(Harm harm) {
    return harm != Harm.SERVER_RESTARTED && harm != Harm.HOLDERS_CLOCK_STOPPED;
  }

  private void isOver(Lease lease, Loss loss) {
    assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    assertThat(lease.remaining()).isZero();
    assertThatThrownBy(() -> lease.ensure(Duration.ZERO)).isInstanceOf(LeaseLostException.class);
    assertThat(events.told()).containsOnlyOnce("lost: " + loss.cause()).doesNotContain("released");
  }

  private long isLeftAloneByItsFormerHolder(Lease former, Lease successor) throws Exception {
    assertThat(successor.token()).isGreaterThan(former.token());
    assertThatThrownBy(former::close).isInstanceOf(LeaseLostException.class);
    former.close();
    Thread.sleep(site.aftermath().toMillis());
    assertThat(other().tryAcquire()).as("while the successor has it").isEmpty();
    assertThat(successor.state()).isEqualTo(LeaseState.HELD);
    finish(successor);
    return successor.token();
  }

  /** A holder that tries to keep what it cannot keep is not told later for that. */
  private void isKeptInVain(Lease lease, StatedLoss stated) throws Exception {
    long end = System.nanoTime() + stated.allowed().toNanos();
    while (stated.harm() == Harm.CONNECTIONS_REFUSED
        && !lease.lost().toCompletableFuture().isDone()
        && System.nanoTime() - end < 0) {
      keep(lease);
      Thread.sleep(50);
    }
  }

  private Lease keepsIt(Lease lease, StatedLoss stated) throws Exception {
    // What nobody confirms any more has ended after one.
    double expiries = stated.harm() == Harm.ONE_RENEWAL_FAILED ? 2 : 1.5;
    long end = System.nanoTime() + (long) (expiries * site.expiry().toNanos());
    try (Undo undo = done(lease, stated)) {
      while (System.nanoTime() - end < 0) {
        keep(lease);
        Thread.sleep(site.expiry().toMillis() / 8);
        assertThat(lease.state()).isNotEqualTo(LeaseState.LOST);
      }
      await().until(() -> lease.state() == LeaseState.HELD);
      figure(stated, "heard: " + events.told());
      if (stated.harm() == Harm.ONE_RENEWAL_FAILED) {
        assertThat(events.told()).containsSubsequence("acquired", "in doubt", "confirmed");
      }
      assertThat(events.told()).noneMatch(event -> event.startsWith("lost"));
      assertThat(other().tryAcquire()).as("after " + expiries + " expiries").isEmpty();
    }
    lease.ensure(Duration.ofMillis(1));
    finish(lease);
    return lease;
  }

  /** An attempt to keep it may fail as long as nobody answers; it must not end it. */
  private void keep(Lease lease) {
    try {
      site.keep(lease);
    } catch (LeaseLostException lost) {
      assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    } catch (LockException failed) {
      assertThat(failed.kind()).isEqualTo(LockException.Kind.UNREACHABLE);
    }
  }

  private Undo done(Lease lease, StatedLoss stated) throws Exception {
    return switch (stated.harm()) {
      case HOLDERS_CLOCK_AHEAD -> {
        clock.jump(Duration.ofHours(1));
        yield Undo.NOTHING;
      }
      case HOLDERS_CLOCK_STOPPED -> stopped(stated.cause().isPresent());
      case ONE_RENEWAL_FAILED -> undoneWhenInDoubt(lease, stated.harm());
      case SESSION_ENDED,
          FORCED,
          DELETED,
          OVERWRITTEN,
          SERVER_RESTARTED,
          SERVER_FROZEN,
          NETWORK_CUT,
          CONNECTIONS_REFUSED,
          SERVERS_CLOCK_AHEAD ->
          site.harm(stated.harm(), name);
    };
  }

  /** Meanwhile another has it, if it is a time that ends it: that of the server. */
  private Undo stopped(boolean anotherHasIt) throws Exception {
    clock.stop();
    Duration limit = anotherHasIt ? LONG : site.expiry().multipliedBy(3).dividedBy(2);
    Optional<Lease> another = other().tryAcquire(limit);
    assertThat(another.isPresent()).isEqualTo(anotherHasIt);
    clock.goOn();
    return () -> another.ifPresent(Lease::close);
  }

  private Undo undoneWhenInDoubt(Lease lease, Harm harm) throws Exception {
    await().until(() -> lease.state() == LeaseState.HELD);
    CompletableFuture<Undo> once = new CompletableFuture<>();
    events.when("in doubt", () -> undo(once.join()));
    once.complete(site.harm(harm, name));
    if (lease.state() == LeaseState.IN_DOUBT) {
      undo(once.join()); // It may have been told before it was listened for.
    }
    return once.join();
  }

  private static void undo(Undo undo) {
    try {
      undo.close();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  private DistributedLock other() {
    return opened(site.other()).lock(name);
  }

  private Client opened(Client client) {
    clients.add(client);
    return client;
  }

  /** Whether it can be taken now, as soon as a busy machine answers. */
  private static Optional<Lease> asked(DistributedLock lock) {
    return await()
        .ignoreExceptionsInstanceOf(LockException.class)
        .until(lock::tryAcquire, answer -> true);
  }

  private static Lease acquired(DistributedLock lock) {
    return await()
        .ignoreExceptionsInstanceOf(LockException.class)
        .until(() -> lock.tryAcquire(Duration.ofSeconds(5)), Optional::isPresent)
        .orElseThrow();
  }

  private void figure(StatedLoss stated, String measured) {
    System.out.println("figure: " + getClass().getSimpleName() + ", " + stated + "; " + measured);
  }
}
