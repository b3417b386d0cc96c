package dev.recorder.machine;

import dev.recorder.leadership.Candidacy;
import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Conditions;
import dev.recorder.leadership.postgres.Registration;
import dev.recorder.logging.LogEvent;
import dev.recorder.metrics.LogMetrics;
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

/** A machine's recorders: hired, checked, and let go. For the control loop's thread. */
final class Crew {
  private static final Logger log = LoggerFactory.getLogger(Crew.class);

  private final String machine;
  private final Services services;
  private final RdsManager manager;
  private final Workshop workshop;
  private final Lead lead;
  private final Conditions conditions;
  private final Draining draining;
  private final Map<Integer, CrewMember> members = new TreeMap<>();

  /** Whom the crew reports to; on any thread, except {@link #election}. */
  interface Lead extends RecorderWorker.TermReport {
    /** Whether a recorder can be taken here: why not, or null. */
    void found(int lockId, @Nullable String unable);

    /** A new election of a recorder by its key. */
    KeyElection election(RecorderSettings recorder);
  }

  /** Nobody yet. */
  Crew(String machine, Services services, RdsManager manager, Workshop workshop, Lead lead) {
    this.machine = machine;
    this.services = services;
    this.manager = manager;
    this.workshop = workshop;
    this.lead = lead;
    this.conditions = new Conditions(manager.schemas());
    this.draining = new Draining(machine);
  }

  boolean has(RecorderSettings recorder) {
    CrewMember member = members.get(recorder.lockId());
    return member != null && member.worker.settings().name().equals(recorder.name());
  }

  /** Whether a recorder with this number is still here. */
  boolean has(int lockId) {
    return members.containsKey(lockId);
  }

  /** Whether the recorder was refused by what the database says of it, and is never checked. */
  boolean isRefused(RecorderSettings recorder) {
    CrewMember member = members.get(recorder.lockId());
    return member != null && member.preparation == null;
  }

  /** Takes the recorder on, or takes note that its row has changed, and has it checked. */
  void hire(RecorderSettings recorder, Setup.Row row) {
    CrewMember member = members.computeIfAbsent(recorder.lockId(), id -> member(recorder));
    workshop.resize(members.size());
    member.paired = row.paired();
    if (!row.payloadLimit().isEmpty()) {
      log.warn(
          LogEvent.MAX_PAYLOAD_NOT_APPLIED,
          "recorder {}: max_payload is not applied: {}",
          recorder.name(),
          row.payloadLimit());
    }
    String refusal =
        row.refusal().isEmpty() ? workshop.memory().refusal(recorder.maxPayload()) : row.refusal();
    if (!refusal.isEmpty()) {
      log.error(
          LogEvent.RECORDER_REFUSED,
          "recorder {} is refused on this machine: {}",
          recorder.name(),
          refusal);
      refused(member, refusal);
      return;
    }
    member.refusal = null;
    member.drop();
    Preparation preparation =
        new Preparation(member.worker, row, manager, workshop, why -> found(member, why));
    member.drop();
    member.preparation = preparation;
    member.worker.metrics().checking(Condition.CHECKING);
    preparation.start();
  }

  private void refused(CrewMember member, String why) {
    member.refusal = why;
    member.worker.metrics().able(why);
    lead.found(member.worker.settings().lockId(), why);
  }

  private void found(CrewMember member, @Nullable String unable) {
    member.unable = unable;
    member.looked = true;
    member.worker.metrics().able(unable);
    lead.found(member.worker.settings().lockId(), unable);
  }

  /** Has the database say, when it is time, how things stand here. */
  void stateConditions() {
    ConditionBoard board = workshop.conditions();
    if (board.isDue()) {
      for (CrewMember member : members.values()) {
        member.state(board, draining);
      }
      board.tell(manager, conditions);
    }
  }

  private CrewMember member(RecorderSettings recorder) {
    ObjectStore bucket = services.stores().apply(recorder.name());
    CrewMember member =
        new CrewMember(new RecorderWorker(machine, recorder, bucket, workshop, lead));
    if (recorder.election() == ElectionKind.REDIS) {
      member.election = lead.election(recorder);
    }
    member.worker.metrics().drained(draining.isOn() && member.election == null);
    return member;
  }

  /** An operator wants nothing here any more; {@code why} is empty if that is over. */
  void drain(String why) {
    draining.because(why);
    members.forEach((lockId, member) -> member.worker.metrics().drained(isDrained(lockId)));
  }

  /** Except recorders elected by a Redis key: the key's holder is active, or nobody is. */
  boolean isDrained(int lockId) {
    return draining.isOn() && election(lockId) == null;
  }

  /** What is needed to find out again whether it could be taken here; null if it is not here. */
  @Nullable SwitchoverCheck switchoverCheck(String recorder) {
    return members.values().stream()
        .filter(member -> member.worker.settings().name().value().equals(recorder))
        .map(member -> member.switchoverCheck(draining, manager, workshop))
        .findFirst()
        .orElse(null);
  }

  /** The election of a recorder that a key elects; null for the others. */
  @Nullable KeyElection election(int lockId) {
    CrewMember member = members.get(lockId);
    return member == null ? null : member.election;
  }

  /** Tells the elections by a key whether the control session is up. */
  void up(boolean isUp) {
    for (CrewMember member : members.values()) {
      if (member.election != null) {
        member.election.up(isUp);
      }
    }
  }

  /** Gives the keys back, all within {@code limit}; nobody is active any more. */
  void closeElections(Duration limit, Ticker ticker) {
    members.values().forEach(CrewMember::retire);
    long deadline = ticker.nanos() + limit.toNanos();
    try {
      for (CrewMember member : members.values()) {
        if (member.election != null) {
          member.election.awaitEnd(Duration.ofNanos(deadline - ticker.nanos()));
        }
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Finds out again whether the recorder can be taken here, and says {@code why} until then. */
  void recheck(int lockId, String why) {
    CrewMember member = members.get(lockId);
    if (member != null && member.preparation != null) {
      member.unable = why;
      member.worker.metrics().checking(why);
      member.preparation.start();
    }
  }

  /** Notes that the recorder met something in its store that an operator must look at. */
  void refuse(int lockId, String why) {
    CrewMember member = members.get(lockId);
    if (member != null) {
      member.refused = true;
      refused(member, why);
    }
  }

  /** Notes that a term failed unforeseen: not able, until all that a term does was tried again. */
  void failed(int lockId, String why) {
    CrewMember member = members.get(lockId);
    if (member != null && member.preparation != null) {
      member.worker.metrics().failed(LogMetrics.FAILED);
      found(member, why);
      member.preparation.startAfterFailure(member.worker.workedFor());
    }
  }

  /** Checks again what was refused. */
  void recheckRefused() {
    members.forEach(
        (lockId, member) -> {
          if (member.refused) {
            member.refused = false;
            member.refusal = null;
            recheck(lockId, Condition.CHECKING);
          }
        });
  }

  void dismiss(int lockId) {
    CrewMember member = members.remove(lockId);
    if (member != null) {
      member.drop();
      member.retire();
      workshop.conditions().forget(member.worker.settings().name().value());
    }
  }

  /** Releases those refused for another's lockid; of the rest the coordinator says when to. */
  void dismissStrangers(MachineSettings settings) {
    members.values().stream()
        .filter(member -> !member.paired && member.preparation == null)
        .map(member -> member.worker.settings())
        .filter(stranger -> !settings.recorders().contains(stranger))
        .toList()
        .forEach(stranger -> dismiss(stranger.lockId()));
  }

  RecorderWorker worker(int lockId) {
    CrewMember member = members.get(lockId);
    if (member == null) {
      throw new IllegalArgumentException("no recorder with lockid " + lockId);
    }
    return member.worker;
  }

  Collection<RecorderWorker> workers() {
    return members.values().stream().map(member -> member.worker).toList();
  }

  void noteProgress(Coordinator coordinator) {
    for (CrewMember member : members.values()) {
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
    CrewMember member = members.get(recorder.lockId());
    return member != null && member.paired;
  }
}
