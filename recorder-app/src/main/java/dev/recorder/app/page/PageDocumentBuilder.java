package dev.recorder.app.page;

import dev.recorder.app.looks.DatabaseSampling;
import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.LockSample;
import dev.recorder.app.looks.SiteSample;
import dev.recorder.app.looks.SiteTimeSeries;
import dev.recorder.app.page.PageDocument.BoardCounts;
import dev.recorder.app.page.PageDocument.BoardRecorder;
import dev.recorder.app.page.PageDocument.BoardRequests;
import dev.recorder.app.page.PageDocument.HostRow;
import dev.recorder.app.page.PageDocument.LockRow;
import dev.recorder.app.page.PageDocument.LockRows;
import dev.recorder.app.page.PageDocument.NoteRow;
import dev.recorder.app.page.PageDocument.TakeoverRow;
import dev.recorder.app.page.PageDocument.Total;
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

/** Makes the document of the page from the last sample. */
final class PageDocumentBuilder {
  /**
   * The most recorders in the document. Others are only counted. Recorders with notes come first.
   */
  static final int MOST_RECORDERS = 50;

  static final int MOST_HOSTS = 50;
  static final int MOST_NOTES = 50;
  static final int MOST_LOCKS = 50;
  private static final int MOST_ACTIVE = 10;

  private final Self self;
  private final MachineMetrics metrics;
  private final LatestSample lastLook;
  private final SiteTimeSeries curves;
  private final long now;

  /** The host that serves the page. */
  record Self(String name, String version) {}

  /**
   * Creates a builder.
   *
   * @param now the present time on the ticker of the sample
   */
  PageDocumentBuilder(
      Self self, MachineMetrics metrics, LatestSample lastLook, SiteTimeSeries curves, long now) {
    this.self = self;
    this.metrics = metrics;
    this.lastLook = lastLook;
    this.curves = curves;
    this.now = now;
  }

  PageDocument make() {
    SiteSample look = lastLook.look();
    String trouble =
        OutdatedReason.of(self.name(), metrics, look == null ? null : sinceLook(), lastLook);
    if (look == null) {
      return new PageDocument(
          self.name(),
          self.version(),
          trouble,
          null,
          null,
          new BoardCounts(0, 0, 0, 0, 0, 0),
          List.of(),
          List.of(),
          List.of(),
          new Total(SiteTimeSeries.STEP.toMillis(), null, null, List.of(), List.of()),
          List.of(),
          List.of(),
          new LockRows(0, null, List.of()));
    }
    return of(look, trouble);
  }

  private PageDocument of(SiteSample look, @Nullable String trouble) {
    List<Note> notes = look.site().notes();
    PageRecorders rows =
        new PageRecorders(self.name(), metrics, look, sinceLook(), lastLook.takeovers());
    List<BoardRecorder> recorders =
        inOrder(look.facts(), notes).stream()
            .limit(MOST_RECORDERS)
            .map(recorder -> rows.of(recorder, curves.of(recorder.lockId(), now)))
            .toList();
    List<HostFacts> hosts = hosts(look.facts());
    int retired = (int) look.facts().recorders().stream().filter(rows::isRetired).count();
    return new PageDocument(
        self.name(),
        self.version(),
        trouble,
        sinceLook().toMillis(),
        Notes.worst(notes).map(PageDocumentBuilder::word).orElse(null),
        new BoardCounts(
            notes.size(),
            hosts.size(),
            look.facts().living().size(),
            look.facts().recorders().size() - retired,
            (int) look.facts().recorders().stream().filter(rows::isRecorded).count(),
            retired),
        notes.stream().limit(MOST_NOTES).map(PageDocumentBuilder::note).toList(),
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

  private long millis(SiteSample look, Instant then) {
    return look.facts().ago(then).plus(sinceLook()).toMillis();
  }

  private static String word(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }

  /** Sorts recorders: first by the gravity of their notes, the gravest first, then by lockid. */
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

  /** Returns the hosts to show, living hosts first. */
  private static List<HostFacts> hosts(Facts facts) {
    return facts.hosts().stream()
        .filter(facts::isShown)
        .sorted(
            Comparator.comparing((HostFacts host) -> !host.isAlive())
                .thenComparing(HostFacts::name))
        .toList();
  }

  private HostRow host(SiteSample look, HostFacts host) {
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

  private Total total(SiteSample look) {
    SiteTimeSeries.Lines lines = curves.all(now);
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
    return new Total(SiteTimeSeries.STEP.toMillis(), longest, rate, lines.lag(), lines.rate());
  }

  private TakeoverRow takeover(SiteSample look, Takeover receipt) {
    return new TakeoverRow(
        // A receipt may be younger than the sample.
        Math.max(0, Duration.between(receipt.at(), look.facts().at()).plus(sinceLook()).toMillis()),
        receipt.recorder(),
        receipt.reason(),
        receipt.from(),
        receipt.to(),
        receipt.toEpoch(),
        receipt.gapMillis());
  }

  private List<BoardRequests> requests(SiteSample look) {
    return look.facts().recorders().stream()
        .filter(recorder -> !recorder.isLog())
        .limit(MOST_RECORDERS)
        .map(recorder -> request(look, recorder))
        .toList();
  }

  private BoardRequests request(SiteSample look, RecorderFacts recorder) {
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
        errors == DatabaseSampling.COUNT_UP_TO,
        own == null ? null : own.requests().read().get(RequestMetrics.COMPLETE));
  }

  private LockRows locks(SiteSample look) {
    LockSample seen = look.locks();
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
