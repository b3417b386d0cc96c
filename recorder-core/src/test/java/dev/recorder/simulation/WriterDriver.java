package dev.recorder.simulation;

import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.simulation.servers.LedgerTerm;
import dev.recorder.simulation.servers.Mutation;
import dev.recorder.simulation.time.VirtualTime;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Effect.LedgerEffect;
import dev.recorder.slotlog.Effect.StoreEffect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotWriter;
import dev.recorder.slotlog.Ticketed;
import dev.recorder.slotlog.WriterProgress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Drives the writer of one term: each lane carries out one effect at a time. */
final class WriterDriver {
  /** Where an effect is carried out. At most one per lane is under way. */
  private enum Lane {
    DATABASE,
    STORE,
    /** For a second call to the store, whose answer may come before that of the first. */
    STORE_BESIDE,
    TIMER
  }

  private static final Duration LONGEST_UNTIL_TOLD = Duration.ofMillis(300);

  private final SimulatedMachine machine;
  private final SimulatedProcess process;
  private final Term term;
  private final SlotWriter writer;
  private final LedgerTerm ledger;
  private final Map<Lane, Deque<Ticketed>> waiting = new EnumMap<>(Lane.class);
  private final Map<Lane, Ticketed> underWay = new EnumMap<>(Lane.class);
  private final DataSessions.Binding binding = new DataSessions.Binding();
  private VirtualTime.@Nullable Step alarm;
  private final WriterProgress progress;
  private boolean dropped;

  /** For the mutation that keeps it. */
  private @Nullable SlotContent builtAhead;

  /** Of what was sent or loaded last, for those that keep it. */
  private @Nullable LogChain chainKnown;

  private @Nullable LogChain sent;
  private @Nullable LogChain chainBuiltOn;
  private long builtOn;

  WriterDriver(
      SimulatedMachine machine,
      SimulatedProcess process,
      Term term,
      SlotWriter writer,
      LedgerTerm ledger) {
    this.machine = machine;
    this.process = process;
    this.term = term;
    this.writer = writer;
    this.ledger = ledger;
    this.progress = new WriterProgress(machine.nanos());
    for (Lane lane : Lane.values()) {
      waiting.put(lane, new ArrayDeque<>());
    }
  }

  Term term() {
    return term;
  }

  long progressAt() {
    return progress.at();
  }

  void start() {
    accept(writer.start());
  }

  void stop() {
    accept(writer.stop());
  }

  /** The term is over: nothing new is begun, and no answer is taken. */
  void drop() {
    dropped = true;
  }

  private void accept(List<Ticketed> effects) {
    for (Ticketed ticketed : effects) {
      if (ticketed.effect() instanceof Effect.Finish finish) {
        dropped = true;
        process.writerEnded(this, finish.ending());
        return;
      }
      queue(laneOf(ticketed.effect())).add(ticketed);
    }
    wakeEarlyIfNeeded();
    for (Lane lane : Lane.values()) {
      begin(lane);
    }
  }

  private Lane laneOf(Effect effect) {
    if (effect instanceof LedgerEffect) {
      return Lane.DATABASE;
    } else if (effect instanceof StoreEffect) {
      boolean busy = underWay.containsKey(Lane.STORE) || !queue(Lane.STORE).isEmpty();
      return busy ? Lane.STORE_BESIDE : Lane.STORE;
    }
    return Lane.TIMER;
  }

  /** A timer that something waits behind need not run out. */
  private void wakeEarlyIfNeeded() {
    Ticketed sleeping = underWay.get(Lane.TIMER);
    if (sleeping != null && alarm != null && !queue(Lane.TIMER).isEmpty()) {
      alarm.cancel();
      answered(Lane.TIMER, sleeping, new Event.Woken());
    }
  }

  private Deque<Ticketed> queue(Lane lane) {
    return waiting.getOrDefault(lane, new ArrayDeque<>());
  }

  private void begin(Lane lane) {
    if (dropped || underWay.containsKey(lane)) {
      return;
    }
    Ticketed ticketed = queue(lane).poll();
    if (ticketed != null) {
      underWay.put(lane, ticketed);
      switch (lane) {
        case TIMER -> sleep(ticketed, restOf(ticketed.effect()));
        case DATABASE -> toDatabase(ticketed, (Effect.LedgerEffect) ticketed.effect());
        case STORE, STORE_BESIDE -> toStore(lane, ticketed, (Effect.StoreEffect) ticketed.effect());
      }
    }
  }

  /** Whoever waits for rows is told some time, whether there are any or not. */
  private long restOf(Effect effect) {
    if (effect instanceof Effect.AwaitRows rows) {
      long told = machine.world.chance.between(0, LONGEST_UNTIL_TOLD.toNanos());
      return Math.min(told, rows.atNanos() - machine.nanos());
    }
    return ((Effect.Wake) effect).atNanos() - machine.nanos();
  }

  private void sleep(Ticketed ticketed, long nanos) {
    alarm =
        machine.later(
            process, nanos, "wakes", () -> answered(Lane.TIMER, ticketed, new Event.Woken()));
  }

  private void toDatabase(Ticketed ticketed, Effect.LedgerEffect effect) {
    SlotContent kept = builtAhead;
    if (effect instanceof Effect.Read read && kept != null && kept.slot() == read.slot()) {
      answered(Lane.DATABASE, ticketed, new Event.Built(kept)); // only under the mutation
      return;
    }
    process
        .data()
        .perform(
            effect,
            binding,
            ledger,
            () -> !effect.needsLease() || process.lease().isAlive(),
            event -> answered(Lane.DATABASE, ticketed, event));
  }

  private void toStore(Lane lane, Ticketed ticketed, Effect.StoreEffect effect) {
    if (effect.needsLease() && !process.lease().isAlive()) {
      answered(lane, ticketed, new Event.LeaseEnded());
      return;
    }
    machine.later(process, machine.world.hesitation(), "sends", () -> send(lane, ticketed, effect));
  }

  private void send(Lane lane, Ticketed ticketed, Effect.StoreEffect effect) {
    if (effect instanceof Effect.Put put) {
      sent = put.chain();
      process
          .store()
          .<Event>put(
              machine.world.layout(term.lockId()).slotKey(put.content().slot()),
              Words.of(effect),
              bucket -> mutatedPut(put).on(process.slotStore(bucket, term)),
              Event.StoreUnclear::new,
              event -> answered(lane, ticketed, mutatedPutAnswer(put, event)));
    } else {
      process
          .store()
          .<Event>get(
              Words.of(effect),
              bucket -> effect.on(process.slotStore(bucket, term)),
              Event.StoreUnclear::new,
              event -> answered(lane, ticketed, event));
    }
  }

  private void answered(Lane lane, Ticketed ticketed, Event event) {
    Ticketed awaited = underWay.get(lane);
    if (dropped || awaited == null || awaited.ticket() != ticketed.ticket()) {
      return;
    }
    underWay.remove(lane);
    progress.note(ticketed.effect(), event, machine.nanos());
    mutate(ticketed.effect(), event);
    accept(writer.on(ticketed.ticket(), mutated(ticketed.effect(), event), machine.nanos()));
    begin(lane);
  }

  // ---- rules broken on purpose

  private Effect.Put mutatedPut(Effect.Put put) {
    LogChain base = chainBuiltOn;
    if (machine.world.mutation == Mutation.CHAIN_OF_CONTENT_BUILT_AHEAD
        && base != null
        && builtOn == put.content().slot() - 1) {
      return new Effect.Put(put.content(), base.then(put.content().sha256()));
    } else if (machine.world.mutation != Mutation.WINDOW_ENDED_BY_EACH_SLOT) {
      return put;
    }
    SlotContent is = put.content();
    Window ended = new Window(is.window().from(), is.window().to(), true);
    return new Effect.Put(
        new SlotContent(
            is.slot(),
            is.origin(),
            is.readAt(),
            ended,
            is.extent(),
            is.sha256(),
            is.body(),
            is.bytes(),
            is.more()),
        put.chain());
  }

  private Event mutated(Effect effect, Event event) {
    if (event instanceof Event.Loaded loaded) {
      LogHead is = loaded.head();
      LogChain kept = chainKnown;
      chainKnown = kept == null ? is.chain() : kept;
      if (machine.world.mutation == Mutation.CHAIN_KEPT_OVER_A_LOAD && kept != null) {
        return new Event.Loaded(new LogHead(is.lastSlot(), is.firstSlot(), kept, is.position()));
      }
    } else if (event instanceof Event.Adopted adopted) {
      chainKnown = adopted.head().chain();
    } else if (event instanceof Event.Settled) {
      chainKnown = ((Effect.Settle) effect).chain();
    }
    return event;
  }

  private Event mutatedPutAnswer(Effect.Put put, Event event) {
    Mutation mutation = machine.world.mutation;
    if (mutation == Mutation.CONFLICT_IS_SUCCESS && event instanceof Event.PutAlreadyThere) {
      return new Event.PutCreated();
    } else if (mutation == Mutation.NEXT_SLOT_AFTER_TIMEOUT
        && event instanceof Event.StoreUnclear) {
      ledger.skip(machine.world.database(), put.content().slot());
      return new Event.LeaseEnded();
    }
    return event;
  }

  private void mutate(Effect effect, Event event) {
    Mutation mutation = machine.world.mutation;
    boolean isAhead = effect instanceof Effect.Read read && read.lastSlot() == read.slot() - 2;
    if (isAhead && event instanceof Event.Built built) {
      chainBuiltOn = sent;
      builtOn = built.content().slot() - 1;
      if (mutation == Mutation.NEXT_SLOT_BEFORE_SETTLE) {
        LogChain chain = Objects.requireNonNull(sent).then(built.content().sha256());
        Effect.Put early = new Effect.Put(built.content(), chain);
        process
            .store()
            .<Event>put(
                machine.world.layout(term.lockId()).slotKey(built.content().slot()),
                Words.of(early),
                bucket -> early.on(process.slotStore(bucket, term)),
                Event.StoreUnclear::new,
                ignored -> {});
      } else if (mutation == Mutation.CONTENT_KEPT_AFTER_CONFLICT) {
        builtAhead = built.content();
      }
    } else if (event instanceof Event.Built || event instanceof Event.Settled) {
      builtAhead = null;
    }
  }

  @Override
  public String toString() {
    return "epoch " + term.epoch() + " " + writer;
  }
}
