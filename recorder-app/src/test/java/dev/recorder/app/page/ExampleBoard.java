package dev.recorder.app.page;

import dev.recorder.app.looks.TimeSeries;
import dev.recorder.app.page.PageDocument.BoardCounts;
import dev.recorder.app.page.PageDocument.BoardRecorder;
import dev.recorder.app.page.PageDocument.BoardRequests;
import dev.recorder.app.page.PageDocument.HostRow;
import dev.recorder.app.page.PageDocument.LockRow;
import dev.recorder.app.page.PageDocument.LockRows;
import dev.recorder.app.page.PageDocument.NoteRow;
import dev.recorder.app.page.PageDocument.TakeoverRow;
import dev.recorder.app.page.PageDocument.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Documents as a host might send them. */
final class ExampleBoard {
  private static final long MINUTE = 60_000;

  private ExampleBoard() {}

  /** Two hosts, of which one has just taken over, and some trouble. */
  static PageDocument busy() {
    return of(
        List.of(
            new NoteRow(
                "critical",
                "audit",
                null,
                "no host has recorded it for 41 s: no living host is able to take it",
                "runbook.md#note-nobody-records"),
            new NoteRow(
                "warning",
                "orders",
                null,
                "no host is able to take it over from host-b",
                "runbook.md#note-few-able"),
            new NoteRow(
                "notice",
                null,
                "host-b",
                "it reaches the database by a way of its own ([postgredb] differs)",
                "runbook.md#note-files-differ")),
        "critical",
        recorders("orders", "events", "audit"));
  }

  /** All is well, and orders has just been taken over. */
  static PageDocument calm() {
    List<BoardRecorder> recorders = new ArrayList<>(recorders("orders", "events", "shop"));
    recorders.set(0, recorder("shop", "active", "host-b", 0));
    return of(List.of(), null, recorders);
  }

  /** With this for each name that comes from elsewhere. */
  static PageDocument named(String name) {
    PageDocument busy =
        of(
            List.of(new NoteRow("warning", name, name, name, name)),
            "warning",
            List.of(recorder(name, "active", name, 0.3)));
    return new PageDocument(
        name,
        name,
        null,
        300L,
        "warning",
        busy.counts(),
        busy.notes(),
        List.of(new HostRow(name, true, "alive", 200, name, List.of(name), 1, 0)),
        busy.recorders(),
        busy.total(),
        List.of(new TakeoverRow(MINUTE, name, name, name, name, 3, 120L)),
        List.of(new BoardRequests(name, 1, false, 0.1, 1, false, 5L)),
        new LockRows(1, null, List.of(new LockRow(name, name, name, name, 5L))));
  }

  static PageDocument troubled(String trouble) {
    PageDocument calm = calm();
    return new PageDocument(
        calm.host(),
        calm.version(),
        trouble,
        12_400L,
        null,
        calm.counts(),
        calm.notes(),
        calm.hosts(),
        calm.recorders(),
        calm.total(),
        calm.takeovers(),
        calm.requests(),
        calm.locks());
  }

  static PageDocument empty() {
    return new PageDocument(
        "host-a",
        "1.0",
        null,
        100L,
        null,
        new BoardCounts(0, 1, 1, 0, 0, 0),
        List.of(),
        List.of(new HostRow("host-a", true, "alive", 200, "1.0", List.of(), 0, 0)),
        List.of(),
        new Total(10_000, 0d, null, List.of(), List.of()),
        List.of(),
        List.of(),
        new LockRows(0, null, List.of()));
  }

  private static PageDocument of(
      List<NoteRow> notes, @Nullable String worst, List<BoardRecorder> recorders) {
    List<HostRow> hosts =
        List.of(
            new HostRow("host-b", true, "alive", 300, "1.0", List.of("orders", "events"), 2, 2),
            new HostRow("host-c", false, "alive", 420, "1.0", List.of(), 0, 2),
            new HostRow("host-a", false, "gone", 41_000, "1.0", List.of(), 0, 0));
    return new PageDocument(
        "host-b",
        "1.0",
        null,
        400L,
        worst,
        new BoardCounts(
            notes.size(),
            3,
            2,
            recorders.size(),
            (int) recorders.stream().filter(r -> !r.state().equals("nobody")).count(),
            0),
        notes,
        hosts,
        recorders,
        new Total(10_000, 0.8, 1240d, wave(0.4, 6, 40), wave(900, 400, 7)),
        takeovers(),
        List.of(new BoardRequests("customers", 14, false, 1.2, 2, false, 18_402L)),
        new LockRows(
            2,
            null,
            List.of(
                new LockRow("mutex", "nightly-report", "taken", "batch-2/8812/3", 12 * MINUTE),
                new LockRow(
                    "advisory",
                    "key 1f00ab7793e0c1d2",
                    "waiting",
                    "batch-3 from 10.0.0.7 (database session 4411)",
                    31_000L))));
  }

  private static List<BoardRecorder> recorders(String... names) {
    List<BoardRecorder> all = new ArrayList<>();
    all.add(recorder(names[2], "nobody", "host-a", 41));
    all.add(recorder(names[0], "active", "host-b", 0.8));
    all.add(recorder(names[1], "active", "host-b", 0));
    all.add(
        new BoardRecorder(
            "customers",
            "requests",
            "works",
            null,
            List.of("host-b", "host-c"),
            0,
            null,
            0,
            null,
            14,
            false,
            1.2,
            null,
            wave(1, 1, 9),
            nothing()));
    return all;
  }

  private static BoardRecorder recorder(String name, String state, String holder, double lag) {
    return new BoardRecorder(
        name,
        "log",
        state,
        holder,
        state.equals("active") ? List.of("host-c") : List.of(),
        8,
        41_000L,
        18_204,
        lag > 10 ? 44_000L : 400L,
        lag > 10 ? 10_000 : (int) (lag * 100),
        lag > 10,
        lag,
        lag > 10 ? 0d : 620d,
        wave(lag / 2, lag, 40),
        wave(600, 300, 7));
  }

  private static List<TakeoverRow> takeovers() {
    return List.of(
        new TakeoverRow(39_000, "orders", "died", "host-a", "host-b", 8, 412L),
        new TakeoverRow(39_100, "events", "died", "host-a", "host-b", 8, 398L),
        new TakeoverRow(24 * MINUTE, "orders", "failback", "host-c", "host-a", 7, 61L),
        new TakeoverRow(35 * MINUTE, "orders", "silent", "host-a", "host-c", 6, 3_120L),
        new TakeoverRow(52 * MINUTE, "events", "switchover", "host-b", "host-a", 7, 48L),
        new TakeoverRow(52 * MINUTE + 700, "audit", "start", null, "host-a", 1, null),
        new TakeoverRow(190 * MINUTE, "events", "start", null, "host-b", 1, null));
  }

  private static List<@Nullable Double> nothing() {
    List<@Nullable Double> values = new ArrayList<>();
    for (int i = 0; i < TimeSeries.STEPS; i++) {
      values.add(null);
    }
    return values;
  }

  /** With a hole in it, as after a database that was away. */
  private static List<@Nullable Double> wave(double base, double height, int every) {
    List<@Nullable Double> values =
        new ArrayList<>(
            DoubleStream.iterate(0, i -> i + 1)
                .limit(TimeSeries.STEPS)
                .mapToObj(i -> base + height * Math.abs(Math.sin(i * Math.PI / every)))
                .toList());
    for (int i = 20; i < 26; i++) {
      values.set(i, null);
    }
    return values;
  }
}
