package dev.recorder.machine;

import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Candidacy;
import dev.recorder.leadership.Coordinator;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Registration;
import dev.recorder.postgres.Setup;
import dev.recorder.store.DocumentStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A machine's recorders: hired, checked, and let go. For the control loop's thread. */
final class Crew {
  private static final Logger log = LoggerFactory.getLogger(Crew.class);

  private final String machine;
  private final Function<RecorderName, DocumentStore> stores;
  private final RdsManager manager;
  private final Workshop workshop;
  private final RecorderWorker.Report report;
  private final BiConsumer<Integer, @Nullable String> onFinding;
  private final Map<Integer, Member> members = new TreeMap<>();

  private static final class Member {
    final RecorderWorker worker;
    @Nullable Preparation preparation;
    boolean paired;
    boolean refused;

    Member(RecorderWorker worker) {
      this.worker = worker;
    }

    void drop() {
      if (preparation != null) {
        preparation.drop();
      }
    }
  }

  /**
   * Nobody yet.
   *
   * @param report told of terms that end by themselves, on any thread
   * @param onFinding told whether a recorder can be taken here, on any thread: why not, or null
   */
  Crew(
      String machine,
      Function<RecorderName, DocumentStore> stores,
      RdsManager manager,
      Workshop workshop,
      RecorderWorker.Report report,
      BiConsumer<Integer, @Nullable String> onFinding) {
    this.machine = machine;
    this.stores = stores;
    this.manager = manager;
    this.workshop = workshop;
    this.report = report;
    this.onFinding = onFinding;
  }

  boolean has(RecorderSettings recorder) {
    Member member = members.get(recorder.lockId());
    return member != null && member.worker.settings().name().equals(recorder.name());
  }

  /** Whether a recorder with this number is still here. */
  boolean has(int lockId) {
    return members.containsKey(lockId);
  }

  /** Whether the recorder was refused by what the database says of it, and is never checked. */
  boolean isRefused(RecorderSettings recorder) {
    Member member = members.get(recorder.lockId());
    return member != null && member.preparation == null;
  }

  /** Takes the recorder on, or takes note that its row has changed, and has it checked. */
  void hire(RecorderSettings recorder, Setup.Row row) {
    Member member =
        members.computeIfAbsent(
            recorder.lockId(),
            id ->
                new Member(
                    new RecorderWorker(
                        machine, recorder, stores.apply(recorder.name()), workshop, report)));
    workshop.resize(members.size());
    member.paired = row.paired();
    if (!row.payloadLimit().isEmpty()) {
      log.warn("recorder {}: max_payload is not applied: {}", recorder.name(), row.payloadLimit());
    }
    if (!row.refusal().isEmpty()) {
      log.error("recorder {} is refused on this machine: {}", recorder.name(), row.refusal());
      onFinding.accept(recorder.lockId(), row.refusal());
      return;
    }
    member.drop();
    Preparation preparation =
        new Preparation(
            member.worker, row, manager, workshop, why -> onFinding.accept(recorder.lockId(), why));
    member.drop();
    member.preparation = preparation;
    preparation.start();
  }

  /** Finds out anew whether the recorder can be taken here. */
  void recheck(int lockId) {
    Member member = members.get(lockId);
    if (member != null && member.preparation != null) {
      member.preparation.start();
    }
  }

  /** Notes that the recorder met something in its store that an operator must look at. */
  void refuse(int lockId) {
    Member member = members.get(lockId);
    if (member != null) {
      member.refused = true;
    }
  }

  /** Checks again what was refused. */
  void recheckRefused() {
    members.forEach(
        (lockId, member) -> {
          if (member.refused) {
            member.refused = false;
            recheck(lockId);
          }
        });
  }

  void dismiss(int lockId) {
    Member member = members.remove(lockId);
    if (member != null) {
      member.drop();
    }
  }

  RecorderWorker worker(int lockId) {
    Member member = members.get(lockId);
    if (member == null) {
      throw new IllegalArgumentException("no recorder with lockid " + lockId);
    }
    return member.worker;
  }

  Collection<RecorderWorker> workers() {
    return members.values().stream().map(member -> member.worker).toList();
  }

  void noteProgress(Coordinator coordinator) {
    for (Member member : members.values()) {
      member.worker.noteProgress(coordinator);
    }
  }

  // ---- what the members want, by the settings of the moment

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
    Member member = members.get(recorder.lockId());
    return member != null && member.paired;
  }
}
