package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.machine.Machine;
import dev.recorder.machine.RunningMachine;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.Explanation;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Notes;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Limits;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators read in the database of machines that do not process requests. */
class HinderedBackEndsIT {
  private static final Limits LIMITS = new Limits(A_MINUTE, A_MINUTE, 1);
  private static final Set<Note.NoteKind> OF_HOSTS =
      Set.of(Note.NoteKind.FILES_DIFFER, Note.NoteKind.GONE);

  private final MemoryStore bucket = new MemoryStore();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final List<RunningMachine> running = new ArrayList<>();
  private Accounts accounts;
  private Inspection operator;

  @BeforeEach
  void createDatabase() throws Exception {
    accounts = new Accounts();
  }

  @AfterEach
  void stop() throws Exception {
    for (RunningMachine machine : running) {
      machine.stop();
    }
    if (operator != null) {
      operator.close();
    }
    accounts.close();
  }

  @Test
  void whoRefusesThemOrIsNotAbleAndThatNobodyIsLeftStandsInTheDatabase() throws Exception {
    isClosed.set(true);
    RunningMachine a = start("host-a", "p");
    await().ignoreExceptions().until(this::lookIn);
    awaitNotes(
        "CRITICAL accounts: no host processes it: no living host is able to",
        "WARNING accounts on host-a: not able to process it: internal error:"
            + " java.lang.IllegalStateException: HTTP 403");

    isClosed.set(false);
    awaitNotes();

    RunningMachine b = start("host-b", "other");
    // Its row is there before what it states: until then, it is being checked.
    await()
        .untilAsserted(
            () ->
                assertThat(notes())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith(
                        "WARNING accounts on host-b: refused: the log of recorder accounts was"
                            + " created")
                    .contains("\"prefix\":\"other\""));
    assertThat(verdict("host-a"))
        .isEqualTo("host-a processes requests of accounts, as every able host does");
    assertThat(verdict("host-b"))
        .startsWith("host-b processes no requests of accounts: it is refused there: the log of")
        .endsWith("; host-a does");

    b.stop();
    awaitNotes();
    a.stop();
    awaitNotes("CRITICAL accounts: no host processes it: no host is alive");
  }

  private boolean lookIn() {
    if (operator == null) {
      operator = Inspection.open(accounts.sessions("cli"));
    }
    return operator.recorder(Accounts.LAYOUT.recorder()).isPresent();
  }

  private Facts facts() {
    return operator.facts(TestSettings.PATIENT.takeoverAfter(), 10);
  }

  /** All but what is said of hosts as such: their files, and that they have stopped. */
  private List<String> notes() {
    return Notes.of(facts(), LIMITS).stream()
        .filter(note -> !OF_HOSTS.contains(note.kind()))
        .map(note -> note.severity() + " " + note.inFull())
        .toList();
  }

  private void awaitNotes(String... notes) {
    await().untilAsserted(() -> assertThat(notes()).containsExactly(notes));
  }

  private String verdict(String host) {
    Facts facts = facts();
    return Explanation.of(
            Diagnosis.of(facts, LIMITS),
            facts.recorder("accounts").orElseThrow(),
            host,
            Optional.empty())
        .verdict();
  }

  private RunningMachine start(String name, String prefix) {
    DocumentStore store =
        Accounts.failing(
            bucket,
            (method, arguments) ->
                isClosed.get() && method.getDeclaringClass() != Object.class
                    ? new IllegalStateException("HTTP 403")
                    : null);
    BackEndSettings usual = Accounts.settings(1, A_MINUTE);
    BackEndSettings settings =
        BackEndSettings.of(
                Accounts.LOCK_ID,
                new DocumentLayout("", "bucket", prefix, Accounts.LAYOUT.recorder()),
                usual.effort())
            .history(Duration.ofHours(1))
            .maxPayload(usual.maxPayload())
            .build();
    RunningMachine started =
        new RunningMachine(
            new Machine(
                MachineSettings.of(name, TestSettings.patient(accounts.database))
                    .timing(TestSettings.PATIENT)
                    .hashes(prefix, Map.of("recorder:accounts", prefix))
                    .requests(settings)
                    .build(),
                recorder -> store));
    running.add(started);
    return started;
  }
}
