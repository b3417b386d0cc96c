package dev.recorder.app.page;

import dev.recorder.app.looks.Curves;
import dev.recorder.app.looks.Looking;
import dev.recorder.app.looks.Sample;
import dev.recorder.app.looks.SeenLocks;
import dev.recorder.app.looks.SiteLook;
import dev.recorder.app.page.Board.BoardCounts;
import dev.recorder.app.page.Board.BoardRecorder;
import dev.recorder.app.page.Board.BoardRequests;
import dev.recorder.app.page.Board.HostRow;
import dev.recorder.app.page.Board.LockRow;
import dev.recorder.app.page.Board.LockRows;
import dev.recorder.app.page.Board.NoteRow;
import dev.recorder.app.page.Board.TakeoverRow;
import dev.recorder.app.page.Board.Total;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.RequestMetrics;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.diagnosis.Notes;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import dev.recorder.operate.site.Takeover;
import dev.recorder.operate.site.WorkCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the document from what is known now. */
final class BoardMaker {
  /** Of more than that the rest is counted; those of which there is a note come first. */
  static final int MOST_RECORDERS = 50;

  static final int MOST_HOSTS = 50;
  static final int MOST_NOTES = 50;
  static final int MOST_LOCKS = 50;
  private static final int MOST_ACTIVE = 10;

  private final Self self;
  private final MachineMetrics metrics;
  private final Sample lastLook;
  private final Curves curves;
  private final long now;

  /** Whose page it is. */
  record Self(String name, String version) {}

  /** Of {@code now} on the ticker by which the last look was taken. */
  BoardMaker(Self self, MachineMetrics metrics, Sample lastLook, Curves curves, long now) {
    this.self = self;
    this.metrics = metrics;
    this.lastLook = lastLook;
    this.curves = curves;
    this.now = now;
  }

  Board make() {
    SiteLook look = lastLook.look();
    String trouble = Trouble.of(self.name(), metrics, look == null ? null : sinceLook(), lastLook);
    if (look == null) {
      return new Board(
          self.name(),
          self.version(),
          trouble,
          null,
          null,
          new BoardCounts(0, 0, 0, 0, 0, 0),
          List.of(),
          List.of(),
          List.of(),
          new Total(Curves.STEP.toMillis(), null, null, List.of(), List.of()),
          List.of(),
          List.of(),
          new LockRows(0, null, List.of()));
    }
    return of(look, trouble);
  }

  private Board of(SiteLook look, @Nullable String trouble) {
    List<Note> notes = look.site().notes();
    BoardRows rows = new BoardRows(self.name(), metrics, look, sinceLook(), lastLook.takeovers());
    List<BoardRecorder> recorders =
        inOrder(look.facts(), notes).stream()
            .limit(MOST_RECORDERS)
            .map(recorder -> rows.of(recorder, curves.of(recorder.lockId(), now)))
            .toList();
    List<HostFacts> hosts = hosts(look.facts());
    int retired = (int) look.facts().recorders().stream().filter(rows::isRetired).count();
    return new Board(
        self.name(),
        self.version(),
        trouble,
        sinceLook().toMillis(),
        Notes.worst(notes).map(BoardMaker::word).orElse(null),
        new BoardCounts(
            notes.size(),
            hosts.size(),
            look.facts().living().size(),
            look.facts().recorders().size() - retired,
            (int) look.facts().recorders().stream().filter(rows::isRecorded).count(),
            retired),
        notes.stream().limit(MOST_NOTES).map(BoardMaker::note).toList(),
        hosts.stream().limit(MOST_HOSTS).map(host -> host(look, host)).toList(),
        recorders,
        total(look),
        lastLook.takeovers().stream().map(receipt -> takeover(look, receipt)).toList(),
        requests(look),
        locks(look));
  }

  private Duration sinceLook() {
    return Duration.ofNanos(Math.max(0, now - lastLook.at()));
  }

  private long millis(SiteLook look, Instant then) {
    return look.facts().ago(then).plus(sinceLook()).toMillis();
  }

  private static String word(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }

  /** Those of which there is a note first, the gravest in front, then by lockid. */
  private static List<RecorderFacts> inOrder(Facts facts, List<Note> notes) {
    Map<String, Severity> gravity = new HashMap<>();
    BinaryOperator<Severity> graver = BinaryOperator.maxBy(Comparator.naturalOrder());
    notes.forEach(note -> gravity.merge(note.recorder(), note.severity(), graver));
    return facts.recorders().stream()
        .sorted(
            Comparator.comparing(
                    (RecorderFacts each) -> gravity.getOrDefault(each.name(), Severity.NOTICE))
                .reversed()
                .thenComparing(RecorderFacts::lockId))
        .toList();
  }

  private static NoteRow note(Note note) {
    return new NoteRow(
        word(note.severity()),
        note.recorder().isEmpty() ? null : note.recorder(),
        note.host().isEmpty() ? null : note.host(),
        note.sentence(),
        note.kind().place());
  }

  /** The living ones first. */
  private static List<HostFacts> hosts(Facts facts) {
    return facts.hosts().stream()
        .filter(facts::isShown)
        .sorted(
            Comparator.comparing((HostFacts host) -> !host.isAlive())
                .thenComparing(HostFacts::name))
        .toList();
  }

  private HostRow host(SiteLook look, HostFacts host) {
    Map<Integer, String> names =
        look.facts().recorders().stream()
            .collect(Collectors.toMap(RecorderFacts::lockId, RecorderFacts::name));
    List<Integer> active = host.isAlive() ? host.status().active() : List.of();
    return new HostRow(
        host.name(),
        host.name().equals(self.name()),
        host.isAlive() ? "alive" : host.hasSession() ? "silent" : "gone",
        millis(look, host.status().lastBeat()),
        host.status().version(),
        active.stream()
            .limit(MOST_ACTIVE)
            .map(lockId -> names.getOrDefault(lockId, "lockid " + lockId))
            .toList(),
        active.size(),
        host.isAlive() ? host.status().able().size() : 0);
  }

  private Total total(SiteLook look) {
    Curves.Lines lines = curves.all(now);
    double longest =
        look.facts().recorders().stream()
            .map(look::lagSeconds)
            .mapToDouble(lag -> lag == null ? 0 : lag)
            .max()
            .orElse(0);
    Double rate =
        look.rates().isEmpty()
            ? null
            : (Double) look.rates().values().stream().mapToDouble(Double::doubleValue).sum();
    return new Total(Curves.STEP.toMillis(), longest, rate, lines.lag(), lines.rate());
  }

  private TakeoverRow takeover(SiteLook look, Takeover receipt) {
    return new TakeoverRow(
        // A receipt may be younger than the look.
        Math.max(0, Duration.between(receipt.at(), look.facts().at()).plus(sinceLook()).toMillis()),
        receipt.recorder(),
        receipt.reason(),
        receipt.from(),
        receipt.to(),
        receipt.toEpoch(),
        receipt.gapMillis());
  }

  private List<BoardRequests> requests(SiteLook look) {
    return look.facts().recorders().stream()
        .filter(recorder -> !recorder.isLog())
        .limit(MOST_RECORDERS)
        .map(recorder -> request(look, recorder))
        .toList();
  }

  private BoardRequests request(SiteLook look, RecorderFacts recorder) {
    Backlog backlog = recorder.status().backlog();
    RequestMetrics own = metrics.requests().get(recorder.name());
    WorkCounts.Requests counted = look.work().requests().get(recorder.name());
    long errors = counted == null ? 0 : counted.errors();
    return new BoardRequests(
        recorder.name(),
        backlog == null ? null : backlog.rows(),
        backlog != null && backlog.more(),
        look.lagSeconds(recorder),
        errors,
        errors == Looking.COUNT_UP_TO,
        own == null ? null : own.requests().read().get(RequestMetrics.COMPLETE));
  }

  private LockRows locks(SiteLook look) {
    SeenLocks seen = look.locks();
    List<LockRow> rows =
        seen.locks().stream()
            .limit(MOST_LOCKS)
            .map(
                lock -> {
                  Instant since = lock.since();
                  return new LockRow(
                      lock.kind(),
                      lock.name(),
                      lock.state(),
                      lock.holder(),
                      since == null ? null : millis(look, since));
                })
            .toList();
    return new LockRows(seen.locks().size(), seen.unseen(), rows);
  }
}
