package dev.recorder.requests.document;

import dev.recorder.requests.RequestMark;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.requests.document.SimulatedTable.Row;
import dev.recorder.store.ObjectStore.FetchAnswer;
import dev.recorder.store.ObjectStore.Fetched;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One run: producers, back ends whose sessions get lost, operators who cancel, retry and clear
 * away, and a network that loses, delays and repeats; then calm, and everything must have come
 * right. One thread; the same seed gives the same run.
 *
 * <p>After every step each document must be what its table says: what is complete, in the order of
 * (fence, id), and behind it what the document itself says it has applied besides; at the end, what
 * is complete and nothing else.
 */
final class Simulation {
  private static final int STEPS = 120;
  private static final int PLENTY = 100_000;

  private final Chance chance;
  private final Mutation mutation;
  private final SimulatedTable table;
  private final SimulatedNetwork network;
  private final List<String> entities;
  private final Payloads payloads;
  private final boolean zombiesMayAsk;
  private final int limitBytes;
  private final List<Row> uncommitted = new ArrayList<>();
  private final Map<String, SimulatedUnit> holders = new HashMap<>();
  private final List<SimulatedUnit> zombies = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private final Statistics statistics;
  private final Map<String, String> checked = new HashMap<>();
  private boolean isOver;

  /** How much of what was to be tried was tried, in all runs that were given this. */
  static final class Statistics {
    int completed;
    int found;
    int lostCommits;
    int zombieSteps;
    int latePuts;
  }

  Simulation(long seed, Mutation mutation, Statistics statistics) {
    this.statistics = statistics;
    this.chance = new Chance(seed);
    this.mutation = mutation;
    this.table = new SimulatedTable(chance);
    this.network = new SimulatedNetwork(chance, mutation);
    this.entities = chance.hit(0.7) ? List.of("a") : List.of("a", "b/c");
    this.payloads = new Payloads(chance);
    this.zombiesMayAsk = chance.hit(0.5);
    this.limitBytes = chance.hit(0.2) ? 40 : PLENTY;
  }

  /** Runs to the end. */
  void run() {
    try {
      for (String entity : entities) {
        insert(entity, RequestType.CREATE);
      }
      for (int i = 0; i < STEPS; i++) {
        step();
        check();
      }
      comeToRest();
    } catch (AssertionError | RuntimeException broken) {
      throw new AssertionError(broken.getMessage() + "\n" + String.join("\n", story), broken);
    }
  }

  private void step() {
    String entity = chance.pick(entities);
    switch (chance.below(16)) {
      case 0, 1 -> insert(entity, RequestType.UPDATE);
      case 2 -> commitOneInsert();
      case 3 -> loseSession(entity);
      case 4, 5 -> stepZombie();
      case 6 -> landOnePut();
      case 7 -> setOne(entity, Row::isNew, RequestStatus.ERROR, "cancelled");
      case 8 -> setOne(entity, Row::isError, RequestStatus.NEW, "retried");
      case 9 -> clearAway(entity);
      default -> work(entity);
    }
  }

  private void insert(String entity, RequestType type) {
    String payload = type == RequestType.CREATE ? payloads.create() : payloads.update();
    Row row = table.insert(entity, type, payload);
    if (type == RequestType.UPDATE && chance.hit(0.4)) {
      uncommitted.add(row);
      tell(row + " is inserted");
    } else {
      row.commit();
      tell(row + " is inserted and committed");
    }
  }

  private void commitOneInsert() {
    if (!uncommitted.isEmpty()) {
      Row row = uncommitted.remove(chance.below(uncommitted.size()));
      row.commit();
      tell(row + " is committed late");
    }
  }

  private void loseSession(String entity) {
    SimulatedUnit holder = holders.remove(entity);
    if (holder != null) {
      holder.alive = false;
      zombies.add(holder);
      tell("unit " + holder.unit.fence() + " loses its session");
    }
  }

  private void stepZombie() {
    if (!zombies.isEmpty()) {
      SimulatedUnit zombie = chance.pick(zombies);
      statistics.zombieSteps++;
      try {
        UnitVerdict verdict = zombie.step();
        if (verdict != null) {
          zombies.remove(zombie);
        }
      } catch (SessionLost lost) {
        zombies.remove(zombie);
      }
      tell("unit " + zombie.unit.fence() + " goes on without a session");
    }
  }

  private void landOnePut() {
    if (network.hasPutsOnTheirWay()) {
      statistics.latePuts++;
      network.land();
      tell("a late PUT lands");
    }
  }

  private void setOne(String entity, Predicate<Row> which, RequestStatus status, String how) {
    List<Row> rows =
        table.select(row -> row.entity.equals(entity) && which.test(row) && !isLocked(row));
    if (!rows.isEmpty()) {
      Row row = chance.pick(rows);
      table.set(row, status);
      tell(row + ": " + how);
    }
  }

  private void clearAway(String entity) {
    if (chance.hit(0.3)) {
      table
          .select(
              row ->
                  row.entity.equals(entity) && row.type == RequestType.UPDATE && row.isComplete())
          .forEach(Row::clearAway);
      tell("complete rows of " + entity + " are cleared away");
    }
  }

  private boolean isLocked(Row row) {
    SimulatedUnit holder = holders.get(row.entity);
    return holder != null && holder.unit.ids().contains(row.id);
  }

  /** Lets the entity's unit take a step; claims one if there is none. Whether there was one. */
  private boolean work(String entity) {
    SimulatedUnit holder = holders.get(entity);
    if (holder == null) {
      WorkUnit unit = table.claim(entity);
      if (unit == null) {
        return false;
      }
      holder = begin(unit);
      holders.put(entity, holder);
      tell("unit " + unit.fence() + " begins with " + unit.ids());
    }
    UnitVerdict verdict = holder.step();
    if (verdict == null) {
      tell("unit " + holder.unit.fence() + " takes a step");
    } else {
      holders.remove(entity);
      commit(holder.unit, verdict);
    }
    return true;
  }

  private SimulatedUnit begin(WorkUnit unit) {
    int looks = chance.hit(0.1) ? 3 : PLENTY;
    SimulatedUnit[] made = new SimulatedUnit[1];
    made[0] =
        new SimulatedUnit(
            unit, network, (entity, ids) -> statuses(made[0], ids), limitBytes, looks);
    return made[0];
  }

  private Map<Long, RequestMark> statuses(SimulatedUnit asking, Collection<Long> ids) {
    if (!asking.alive && !zombiesMayAsk) {
      throw new SessionLost();
    }
    Map<Long, RequestMark> marks = table.statuses(asking.unit.entity(), ids);
    if (mutation == Mutation.NONE) {
      // What one digest for all of them rests on.
      require(
          marks.values().stream().noneMatch(RequestMark::isOpen)
              || (marks.size() == ids.size()
                  && marks.values().stream().allMatch(RequestMark::isOpen)),
          "of the requests of one write some are settled and others are not: " + marks);
    } else if (mutation == Mutation.ERRORS_NOT_FOUND) {
      marks.replaceAll(
          (id, mark) ->
              mark.status() == RequestStatus.ERROR
                  ? new RequestMark(RequestStatus.COMPLETE, mark.digest())
                  : mark);
    }
    return marks;
  }

  private void commit(WorkUnit unit, UnitVerdict verdict) {
    if (!isOver && chance.hit(0.2)) {
      statistics.lostCommits++;
      tell("unit " + unit.fence() + ": COMMIT of " + verdict + " is lost");
      return;
    }
    tell("unit " + unit.fence() + ": " + verdict);
    table.settle(unit, verdict, mutation);
    statistics.found += verdict instanceof UnitVerdict.AppliedEarlier ? 1 : 0;
    if (verdict instanceof UnitVerdict.RequestsSettled settled) {
      statistics.completed += settled.complete().size();
    } else if (verdict instanceof UnitVerdict.Postponed && chance.hit(0.3)) {
      unit.ids().forEach(id -> table.set(table.row(id), RequestStatus.ERROR));
      tell("unit " + unit.fence() + " is given up");
    }
  }

  /**
   * Nothing goes wrong any more. Perhaps an operator retries what is in error; in any case each
   * entity gets one more update, whose unit finds what took effect unknown to the table.
   */
  private void comeToRest() {
    isOver = true;
    network.calm();
    entities.forEach(this::loseSession);
    while (!uncommitted.isEmpty()) {
      commitOneInsert();
    }
    while (network.hasPutsOnTheirWay() || !zombies.isEmpty()) {
      if (chance.hit(0.3)) {
        work(chance.pick(entities));
      } else if (chance.hit(0.5)) {
        landOnePut();
      } else {
        stepZombie();
      }
      check();
    }
    if (chance.hit(0.5)) {
      tell("all errors are retried");
      table.select(Row::isError).forEach(row -> table.set(row, RequestStatus.NEW));
    }
    entities.forEach(this::workOffAll);
    for (String entity : entities) {
      table.insert(entity, RequestType.UPDATE, Json.EMPTY_OBJECT).commit();
      workOffAll(entity);
    }
    require(table.select(Row::isNew).isEmpty(), "something is never settled");
    entities.forEach(entity -> checkThat(entity, List.of()));
  }

  private void workOffAll(String entity) {
    for (int i = 0; work(entity); i++) {
      check();
      require(i < STEPS * 100, "the work on " + entity + " does not end");
    }
  }

  /** Of a broken rule the harm has to show: the documents at the end are looked at, no others. */
  private void check() {
    if (mutation == Mutation.NONE) {
      entities.forEach(entity -> checkThat(entity, null));
    }
  }

  /**
   * The document is what it must be.
   *
   * @param applied besides what is complete; null for what the document itself says
   */
  private void checkThat(String entity, @Nullable List<Long> applied) {
    FetchAnswer answer = network.look(SimulatedUnit.key(entity));
    if (!(answer instanceof Fetched object)) {
      require(table.model(entity, List.of()) == null, "there is no document of " + entity);
      return;
    }
    String state = object.etag() + applied + table.changes();
    if (state.equals(checked.put(entity, state))) {
      return;
    }
    StoredDocument document = StoredDocument.read(object.bytes(), object.metadata()).orElseThrow();
    List<Long> besides = applied != null ? applied : document.stamp().orElseThrow().applied().ids();
    DocumentModel model = table.model(entity, besides);
    require(
        model != null && model.isSaidBy(document.text()),
        "the document of %s is %s, %s, and should be %s"
            .formatted(
                entity,
                document.text(),
                object.metadata(),
                model == null ? "absent" : model.text()));
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new BrokenPromise(otherwise);
    }
  }

  private void tell(String what) {
    story.add(what);
  }

  /** A document that is not what the table says. */
  static final class BrokenPromise extends AssertionError {
    private static final long serialVersionUID = 1L;

    BrokenPromise(String what) {
      super(what);
    }
  }

  /** The answer to a statement on a session that is not there any more. */
  private static final class SessionLost extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
