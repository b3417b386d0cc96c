package dev.recorder.machine;

import dev.recorder.leadership.Candidacy;
import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.postgres.Conditions;
import dev.recorder.leadership.postgres.Registration;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.settings.ElectionKind;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.ConditionBoard;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.machine.term.Draining;
import dev.recorder.machine.term.Preparation;
import dev.recorder.machine.term.RecorderWorker;
import dev.recorder.machine.term.SwitchoverCheck;
import dev.recorder.metrics.LogMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.postgres.RdsManager;
import dev.recorder.schema.Setup;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A machine's recorders: added, checked, and removed. For the control loop's thread. */
final class RecorderRegistry {
  private static final Logger log = LoggerFactory.getLogger(RecorderRegistry.class);

  private final String machine;
  private final Services services;
  private final RdsManager manager;
  private final SharedResources resources;
  private final RegistryListener listener;
  private final Conditions conditions;
  private final Draining draining;
  private final Map<Integer, RecorderEntry> entries = new TreeMap<>();

  /** What the registry reports to; on any thread, except {@link #election}. */
  interface RegistryListener extends RecorderWorker.TermReport {
    /** Whether a recorder can be taken here has changed, or why it cannot. */
    void readinessChanged(int lockId);

    /** A recorder that a database refused now reaches another one. */
    void reachedAnother(int lockId);

    /** A new election of a recorder by its key. */
    KeyElection election(RecorderSettings recorder);
  }

  /** Nobody yet. */
  RecorderRegistry(
      String machine,
      Services services,
      RdsManager manager,
      SharedResources resources,
      RegistryListener listener) {
    this.machine = machine;
    this.services = services;
    this.manager = manager;
    this.resources = resources;
    this.listener = listener;
    this.conditions = new Conditions(manager.schemas());
    this.draining = new Draining(machine);
  }

  boolean has(RecorderSettings recorder) {
    RecorderEntry entry = entries.get(recorder.lockId());
    return entry != null && entry.worker.settings().name().equals(recorder.name());
  }

  /** Whether a recorder with this number is still here. */
  boolean has(int lockId) {
    return entries.containsKey(lockId);
  }

  /** Whether the recorder was refused by what the database says of it, and is never checked. */
  boolean isRefused(RecorderSettings recorder) {
    RecorderEntry entry = entries.get(recorder.lockId());
    return entry != null && entry.preparation == null;
  }

  /** Takes the recorder on, or takes note that its row has changed, and has it checked. */
  void add(RecorderSettings recorder, Setup.Row row) {
    RecorderEntry entry = entries.computeIfAbsent(recorder.lockId(), id -> entry(recorder));
    resources.resize(entries.size());
    entry.paired = row.paired();
    if (!row.payloadLimit().isEmpty()) {
      log.warn(
          LogEvent.MAX_PAYLOAD_NOT_APPLIED,
          "recorder {}: max_payload is not applied: {}",
          recorder.name(),
          row.payloadLimit());
    }
    String refusal =
        row.refusal().isEmpty() ? resources.memory().refusal(recorder.maxPayload()) : row.refusal();
    if (!refusal.isEmpty()) {
      log.error(
          LogEvent.RECORDER_REFUSED,
          "recorder {} is refused on this host: {}",
          recorder.name(),
          refusal);
      become(entry, ReadinessState.REFUSED, refusal);
      return;
    }
    entry.drop();
    entry.preparation =
        new Preparation(
            entry.worker,
            row,
            manager,
            resources,
            trouble -> become(entry, ReadinessState.found(trouble), trouble));
    check(entry, Readiness.CHECKING);
  }

  /** Whether that is news. For any thread. */
  private boolean become(RecorderEntry entry, ReadinessState next, String why) {
    boolean isNews = entry.become(next, why);
    if (isNews) {
      listener.readinessChanged(entry.worker.settings().lockId());
    }
    return isNews;
  }

  /** Begins to find out whether it can be taken here, and says {@code why} until then. */
  private void check(RecorderEntry entry, String why) {
    if (entry.preparation != null) {
      become(entry, ReadinessState.CHECKING, why);
      entry.preparation.start();
    }
  }

  /** Has the database say how things stand here. */
  void stateConditions() {
    ConditionBoard board = resources.conditions();
    for (RecorderEntry entry : entries.values()) {
      entry.state(board);
    }
    board.tell(manager, conditions);
  }

  private RecorderEntry entry(RecorderSettings recorder) {
    ObjectStore bucket = services.stores().apply(recorder.name());
    RecorderEntry entry =
        new RecorderEntry(
            new RecorderWorker(machine, recorder, bucket, resources, listener), draining);
    if (recorder.election() == ElectionKind.REDIS) {
      entry.election = listener.election(recorder);
    }
    entry.worker.metrics().readiness(entry::readinessHere);
    return entry;
  }

  /** An operator wants nothing here any more; {@code why} is empty if that is over. */
  void drain(String why) {
    draining.because(why);
  }

  /** Except recorders elected by a Redis key: the key's holder is active, or nobody is. */
  boolean isDrained(int lockId) {
    return draining.isOn() && election(lockId) == null;
  }

  /** What is needed to find out again whether it could be taken here; null if it is not here. */
  @Nullable SwitchoverCheck switchoverCheck(String recorder) {
    return entries.values().stream()
        .filter(entry -> entry.worker.settings().name().value().equals(recorder))
        .map(entry -> entry.switchoverCheck(manager, resources))
        .findFirst()
        .orElse(null);
  }

  /** The election of a recorder that a key elects; null for the others. */
  @Nullable KeyElection election(int lockId) {
    RecorderEntry entry = entries.get(lockId);
    return entry == null ? null : entry.election;
  }

  /** Tells the elections by a key whether the control session is up. */
  void up(boolean isUp) {
    for (RecorderEntry entry : entries.values()) {
      if (entry.election != null) {
        entry.election.up(isUp);
      }
    }
  }

  /** Gives the keys back, all within {@code limit}; nobody is active any more. */
  void closeElections(Duration limit, Ticker ticker) {
    entries.values().forEach(RecorderEntry::retire);
    long deadline = ticker.nanos() + limit.toNanos();
    try {
      for (RecorderEntry entry : entries.values()) {
        if (entry.election != null) {
          entry.election.awaitEnd(Duration.ofNanos(deadline - ticker.nanos()));
        }
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Why it cannot be taken here; null if it can. */
  @Nullable String unable(int lockId) {
    Readiness is = entry(lockId).readiness();
    return is.isReady() ? null : is.why();
  }

  /** Finds out again whether it can be taken here, unless it was refused meanwhile. */
  void recheck(int lockId, String why) {
    RecorderEntry entry = entries.get(lockId);
    if (entry != null && !entry.readiness().isRefused()) {
      check(entry, why);
    }
  }

  /** Notes that the recorder met something in its store that an operator must look at. */
  void refuse(int lockId, String why) {
    RecorderEntry entry = entries.get(lockId);
    if (entry != null) {
      become(entry, ReadinessState.REFUSED, why);
      Preparation preparation = entry.preparation;
      if (preparation != null) {
        entry
            .worker
            .lastDatabase()
            .ifPresent(
                by -> preparation.awaitAnotherThan(by, () -> listener.reachedAnother(lockId)));
      }
    }
  }

  /** Notes that a term failed unforeseen: not able, until all that a term does was tried again. */
  void failed(int lockId, String why) {
    RecorderEntry entry = entries.get(lockId);
    if (entry != null && entry.preparation != null) {
      entry.worker.metrics().failed(LogMetrics.FAILED);
      become(entry, ReadinessState.UNABLE, why);
      entry.preparation.startAfterFailure(entry.worker.workedFor());
    }
  }

  /** Checks again what was refused. */
  void recheckRefused() {
    entries.keySet().forEach(this::recheckRefused);
  }

  /** Checks it again if it was refused. */
  void recheckRefused(int lockId) {
    RecorderEntry entry = entries.get(lockId);
    if (entry != null && entry.readiness().isRefused()) {
      check(entry, Readiness.CHECKING);
    }
  }

  void remove(int lockId) {
    RecorderEntry entry = entries.get(lockId);
    if (entry != null) {
      entry.drop();
      entry.retire();
      entries.remove(lockId);
      resources.conditions().forget(entry.worker.settings().name().value());
    }
  }

  /** Releases those refused for another's lockid; of the rest the coordinator says when to. */
  void removeUnpaired(MachineSettings settings) {
    entries.values().stream()
        .filter(entry -> !entry.paired && entry.preparation == null)
        .map(entry -> entry.worker.settings())
        .filter(recorder -> !settings.recorders().contains(recorder))
        .toList()
        .forEach(recorder -> remove(recorder.lockId()));
  }

  RecorderWorker worker(int lockId) {
    return entry(lockId).worker;
  }

  private RecorderEntry entry(int lockId) {
    RecorderEntry entry = entries.get(lockId);
    if (entry == null) {
      throw new IllegalArgumentException("no recorder with lockid " + lockId);
    }
    return entry;
  }

  Collection<RecorderWorker> workers() {
    return entries.values().stream().map(entry -> entry.worker).toList();
  }

  void noteProgress(Coordinator coordinator) {
    for (RecorderEntry entry : entries.values()) {
      entry.worker.noteProgress(coordinator);
    }
  }

  // ---- what the recorders want, by the settings of the moment

  List<Candidacy> candidacies(MachineSettings settings) {
    return ours(settings)
        .map(r -> new Candidacy(r.lockId(), r.name().value(), r.primary(), r.failback()))
        .toList();
  }

  Registration registration(MachineSettings settings) {
    return new Registration(
        ours(settings).map(RecorderSettings::lockId).collect(Collectors.toUnmodifiableSet()),
        ours(settings)
            .filter(RecorderSettings::primary)
            .map(RecorderSettings::lockId)
            .collect(Collectors.toUnmodifiableSet()),
        settings.version(),
        settings.configHash(),
        settings.sectionHashes());
  }

  /** Nothing is said of a lockid that belongs to another recorder. */
  private Stream<RecorderSettings> ours(MachineSettings settings) {
    return settings.recorders().stream().filter(this::has).filter(this::isPaired);
  }

  private boolean isPaired(RecorderSettings recorder) {
    RecorderEntry entry = entries.get(recorder.lockId());
    return entry != null && entry.paired;
  }
}
