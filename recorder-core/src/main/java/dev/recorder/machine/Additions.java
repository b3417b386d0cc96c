package dev.recorder.machine;

import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.RdsManager;
import dev.recorder.schema.Setup;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the database rows of recorders that were added to the configuration file of a running
 * host. Uses a session of its own, so that heartbeats on the control session are not delayed. At
 * most one attempt runs at a time, with the latest settings. All methods are called on the control
 * loop's thread.
 */
final class Additions {
  private static final Logger log = LoggerFactory.getLogger(Additions.class);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final SharedResources resources;
  private final AdditionsOwner owner;
  private final Set<String> stated = new HashSet<>();
  private boolean adding;
  private boolean askedAgain;

  /** The owner of the recorders. */
  interface AdditionsOwner {
    /** Runs {@code message} on the control loop's thread. For any thread. */
    void tell(Runnable message);

    /** Returns the recorders that are in the file and not yet on this host, or refused here. */
    MachineSettings missing();

    /** Takes the recorders whose rows are ready; a recorder without a row could not be added. */
    void added(MachineSettings added, List<Setup.Row> rows);
  }

  Additions(SharedResources resources, AdditionsOwner owner) {
    this.resources = resources;
    this.owner = owner;
  }

  /** Adds the missing recorders, now or after the current attempt. */
  void ask() {
    askedAgain = true;
    next();
  }

  private void next() {
    if (adding || !askedAgain) {
      return;
    }
    askedAgain = false;
    MachineSettings missing = owner.missing();
    forgetAllBut(names(missing));
    if (!missing.wanted().isEmpty()) {
      adding = true;
      resources.schedule().hand(resources.chores(), () -> setUp(missing));
    }
  }

  private void setUp(MachineSettings missing) {
    try (LogContext context = LogContext.of(resources.sessions().machine());
        RdsManager own = new RdsManager(resources.sessions())) {
      own.connect();
      List<Setup.Row> rows = new Setup(own).add(missing.wanted());
      owner.tell(() -> done(missing, rows));
    } catch (DatabaseException e) {
      String why = String.valueOf(e.getMessage());
      if (e.kind() == DatabaseErrorKind.UNREACHABLE || e.kind() == DatabaseErrorKind.BUSY) {
        owner.tell(() -> state(missing, ReadinessState.UNABLE, why));
        later();
      } else {
        log.error(LogEvent.RECORDERS_NOT_ADDED, "{} not added: {}", inWords(missing), why);
        owner.tell(
            () -> {
              done(missing, List.of());
              state(missing, ReadinessState.REFUSED, Setup.inOneLine(e));
            });
      }
    } catch (RuntimeException bug) {
      log.error(LogEvent.BUG, "bug: {} could not be added, trying again", inWords(missing), bug);
      later();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      later(); // A stopping host refuses this.
    }
  }

  /** States in the database why each missing recorder is not added. */
  private void state(MachineSettings missing, ReadinessState state, String why) {
    Readiness readiness = new Readiness(state, why, Ticker.system().nanos());
    Set<String> still = names(owner.missing());
    names(missing).stream()
        .filter(still::contains)
        .forEach(
            name -> {
              resources.conditions().state(name, readiness);
              stated.add(name);
            });
  }

  private void forgetAllBut(Set<String> names) {
    stated.stream().filter(name -> !names.contains(name)).forEach(resources.conditions()::forget);
    stated.retainAll(names);
  }

  private void done(MachineSettings added, List<Setup.Row> rows) {
    adding = false;
    forgetAllBut(Set.of());
    owner.added(added, rows);
    next();
  }

  private void later() {
    Runnable again =
        () -> {
          adding = false;
          ask();
        };
    resources.schedule().handIn(RETRY, owner::tell, again);
  }

  private static Set<String> names(MachineSettings missing) {
    return missing.wanted().stream()
        .map(wanted -> wanted.recorder().value())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String inWords(MachineSettings missing) {
    return names(missing).stream()
        .map(name -> "recorder " + name)
        .collect(Collectors.joining(", "));
  }
}
