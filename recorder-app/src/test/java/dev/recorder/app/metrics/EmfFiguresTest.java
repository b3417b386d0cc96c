package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.metrics.EmfFormat.Datum;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is printed for CloudWatch, read by the rules of its format. */
class EmfFiguresTest {
  private static final Readiness READY = new Readiness(ReadinessState.READY, "", 0);
  private static final long AT = 1_767_225_600_000L;
  private static final Map<String, String> SITE = Map.of("Site", "db/app/recorder");
  private static final Map<String, String> HOST =
      Map.of("Site", "db/app/recorder", "Host", "host-a");
  private static final Map<String, String> ORDERS =
      Map.of("Site", "db/app/recorder", "Recorder", "orders1");

  private static final Map<String, String> JOBS =
      Map.of("Site", "db/app/recorder", "Recorder", "jobs");

  private final MachineMetrics machine = Example.machine(2);
  private final Reloads reloads = new Reloads();

  private EmfFigures figures(String... recorders) {
    return new EmfFigures(
        new EmfReport.Whose("db/app/recorder", "host-a", List.of(recorders)), machine, reloads);
  }

  private static List<Datum> read(List<String> lines) throws Exception {
    List<Datum> all = new ArrayList<>();
    for (String line : lines) {
      all.addAll(EmfFormat.read(line));
    }
    return all;
  }

  @Test
  void aHostHasOneLineAndNoDimensionForRecordersUnlessTheyAreNamed() throws Exception {
    List<String> lines = figures().lines(Example.found(), AT);

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).contains("\"Timestamp\":" + AT).doesNotContain("\"Recorder\":");
    assertThat(read(lines)).extracting(Datum::dimensions).containsOnly(HOST, SITE);
  }

  @Test
  void itSaysWhatTheHostHasDoneAndWhatAllHostsAre() throws Exception {
    assertThat(read(figures().lines(Example.found(), AT)))
        .contains(
            new Datum("ActiveLogs", HOST, 2),
            new Datum("SlotsSettled", HOST, 2),
            new Datum("RowsRecorded", HOST, 20),
            new Datum("BytesRecorded", HOST, 4_000),
            new Datum("LeaseLeft", HOST, 1.2),
            new Datum("HeartbeatAge", HOST, 0.3),
            new Datum("TakeoversByFault", HOST, 2),
            new Datum("TakeoversByFault", SITE, 2),
            new Datum("DatabaseNotLookedAt", SITE, 0),
            new Datum("HostsAlive", SITE, 1),
            new Datum("UnheldLogs", SITE, 0),
            new Datum("LogsWithFewHosts", SITE, 1),
            new Datum("OldestWaiting", SITE, 9));
  }

  @Test
  void countsAreThoseSinceTheLineBefore() throws Exception {
    EmfFigures figures = figures("orders1");
    figures.lines(Example.found(), AT);
    machine.log("orders1").settled(43, 5, 1_000, 200);
    machine.sessionLost();

    List<Datum> next = read(figures.lines(Example.found(), AT + 60_000));

    assertThat(next)
        .contains(
            new Datum("SlotsSettled", HOST, 1),
            new Datum("RowsRecorded", HOST, 5),
            new Datum("RowsRecorded", ORDERS, 5),
            new Datum("SessionsLost", SITE, 1),
            new Datum("TakeoversByFault", SITE, 0));
  }

  @Test
  void aRecorderThatIsNamedHasALineOfItsOwn() throws Exception {
    List<String> lines = figures("orders1", "jobs", "gone").lines(Example.found(), AT);

    assertThat(lines).hasSize(3);
    assertThat(read(lines))
        .contains(
            new Datum("Active", ORDERS, 1),
            new Datum("SlotsSettled", ORDERS, 1),
            new Datum("HostsAble", ORDERS, 1),
            new Datum("OldestWaiting", ORDERS, 1.5),
            new Datum("RequestsDue", Map.of("Site", "db/app/recorder", "Recorder", "jobs"), 3));
  }

  /** So that CloudWatch misses it, and an alarm can take that for the worst. */
  @Test
  void whatAnOldLookHasFoundIsNotSaidAgain() throws Exception {
    List<Datum> said = read(figures("orders1").lines(Example.found().outdated(""), AT));

    assertThat(said).extracting(Datum::name).doesNotContain("HostsAlive", "OldestWaiting");
    assertThat(said).contains(new Datum("DatabaseNotLookedAt", SITE, 1));
  }

  @Test
  void withoutItsSessionAHostIsNotAbleToProcessRequests() throws Exception {
    machine.requests("jobs").readiness(() -> READY);
    assertThat(read(figures("jobs").lines(Example.found(), AT)))
        .contains(new Datum("UnableRequests", SITE, 0), new Datum("Able", JOBS, 1));

    machine.sessionLost();

    assertThat(read(figures("jobs").lines(Example.found(), AT)))
        .contains(new Datum("UnableRequests", SITE, 1), new Datum("Able", JOBS, 0));
  }

  @Test
  void aFileThatCannotBeUsedIsSaid() throws Exception {
    reloads.failed();

    assertThat(read(figures().lines(Example.found(), AT)))
        .contains(new Datum("ReloadFailed", SITE, 1));
  }

  /** A database may have any name. */
  @Test
  void aSiteIsNamedInCharactersThatADimensionMayHave() throws Exception {
    String site = new EmfReport.Whose("db/Bücher und\n/recorder", "a", List.of()).site();

    assertThat(site).isEqualTo("db/B_cher_und_/recorder");
  }

  @Test
  void thousandRecordersMakeALineThatIsTaken() throws Exception {
    EmfFigures figures =
        new EmfFigures(new EmfReport.Whose("s", "h", List.of()), Example.machine(998), reloads);

    assertThat(read(figures.lines(Example.found(), AT)))
        .hasSizeLessThan(50)
        .contains(new Datum("ActiveLogs", Map.of("Site", "s", "Host", "h"), 998));
  }
}
