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

/** The recorders of a host: added, checked, and removed. For the control loop's thread. */
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

  /** Receives the registry's reports, on any thread except {@link #election}. */
  interface RegistryListener extends RecorderWorker.TermReport {
    /** The readiness of a recorder here, or its reason, has changed. */
    void readinessChanged(int lockId);

    /** A recorder that was refused for its database now reaches another database. */
    void reachedAnother(int lockId);

    /** Creates the election of a recorder by its key. */
    KeyElection election(RecorderSettings recorder);
  }

  /** Creates a registry without recorders. */
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

  /** Whether a recorder with this lockid is here. */
  boolean has(int lockId) {
    return entries.containsKey(lockId);
  }

  /** Whether the recorder was refused when it was added, so that it is never checked. */
  boolean isRefused(RecorderSettings recorder) {
    RecorderEntry entry = entries.get(recorder.lockId());
    return entry != null && entry.preparation == null;
  }

  /** Adds the recorder, or notes that its row has changed, and has it checked. */
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

  /** Changes the readiness; returns whether that is news. For any thread. */
  private boolean become(RecorderEntry entry, ReadinessState next, String why) {
    boolean isNews = entry.become(next, why);
    if (isNews) {
      listener.readinessChanged(entry.worker.settings().lockId());
    }
    return isNews;
  }

  /**
   * Begins to check whether this host can take the recorder; until then {@code why} is the reason.
   */
  private void check(RecorderEntry entry, String why) {
    if (entry.preparation != null) {
      become(entry, ReadinessState.CHECKING, why);
      entry.preparation.start();
    }
  }

  /** Writes the conditions of all recorders here to the database. */
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

  /** Drains this host for the reason {@code why}; an empty reason ends the draining. */
  void drain(String why) {
    draining.because(why);
  }

  /**
   * Whether this host is drained of the recorder. Recorders elected by a Redis key are exempt,
   * since only the holder of the key can be active.
   */
  boolean isDrained(int lockId) {
    return draining.isOn() && election(lockId) == null;
  }

  /**
   * Returns a check whether this host could take the recorder; null if the recorder is not here.
   */
  @Nullable SwitchoverCheck switchoverCheck(String recorder) {
    return entries.values().stream()
        .filter(entry -> entry.worker.settings().name().value().equals(recorder))
        .map(entry -> entry.switchoverCheck(manager, resources))
        .findFirst()
        .orElse(null);
  }

  /** The recorder's election by a key; null if no key elects it. */
  @Nullable KeyElection election(int lockId) {
    RecorderEntry entry = entries.get(lockId);
    return entry == null ? null : entry.election;
  }

  /** Tells the key elections whether the control session is up. */
  void up(boolean isUp) {
    for (RecorderEntry entry : entries.values()) {
      if (entry.election != null) {
        entry.election.up(isUp);
      }
    }
  }

  /** Gives all keys back within {@code limit}, once no recorder is active here. */
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

  /** Why this host cannot take the recorder; null if it can. */
  @Nullable String unable(int lockId) {
    Readiness is = entry(lockId).readiness();
    return is.isReady() ? null : is.why();
  }

  /**
   * Checks again whether this host can take the recorder, unless the recorder was refused
   * meanwhile.
   */
  void recheck(int lockId, String why) {
    RecorderEntry entry = entries.get(lockId);
    if (entry != null && !entry.readiness().isRefused()) {
      check(entry, why);
    }
  }

  /** Refuses the recorder here, since an operator must look at what its writer found. */
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

  /**
   * Notes that a term failed unforeseen: the host is unable until all that a term does was tried
   * again.
   */
  void failed(int lockId, String why) {
    RecorderEntry entry = entries.get(lockId);
    if (entry != null && entry.preparation != null) {
      entry.worker.metrics().failed(LogMetrics.FAILED);
      become(entry, ReadinessState.UNABLE, why);
      entry.preparation.startAfterFailure(entry.worker.workedFor());
    }
  }

  /** Checks all refused recorders again. */
  void recheckRefused() {
    entries.keySet().forEach(this::recheckRefused);
  }

  /** Checks the recorder again if it was refused. */
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

  /**
   * Removes unwanted recorders that were refused because their lockid is another recorder's. The
   * coordinator decides when the rest are removed.
   */
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

  // ---- settings that depend on the recorders here

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

  /** The wanted recorders that are here, without those whose lockid belongs to another recorder. */
  private Stream<RecorderSettings> ours(MachineSettings settings) {
    return settings.recorders().stream().filter(this::has).filter(this::isPaired);
  }

  private boolean isPaired(RecorderSettings recorder) {
    RecorderEntry entry = entries.get(recorder.lockId());
    return entry != null && entry.paired;
  }
}
