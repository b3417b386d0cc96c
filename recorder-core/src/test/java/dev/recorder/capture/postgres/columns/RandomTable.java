package dev.recorder.capture.postgres.columns;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.SnapshotSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.postgres.DatabaseException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Random statements, changes of columns, set-ups of the capture, snapshots and replays of the table
 * {@code public.t}, which may be partitioned. What PostgreSQL or the capture refuses is passed
 * over.
 */
final class RandomTable {
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f", "g");
  private static final Set<String> KEY = Set.of("id", "y");

  private final SnapshotSite site;
  private final Random random;
  private final boolean isPartitioned;
  private final OldImage old;

  /** What was run, in order, to be told if the test fails. */
  private final List<String> script = new ArrayList<>();

  private final Set<String> incomplete = new TreeSet<>();

  /**
   * Whether a column is captured, by its number: that is chosen by its name when it is first met.
   */
  private final Map<Integer, Boolean> chosen = new HashMap<>();

  private ColumnChoice choice = ColumnChoice.ALL;
  private int nextId = 1;

  /** How the table is altered to take back the last new name. */
  private String back = "ALTER id DROP DEFAULT";

  RandomTable(SnapshotSite site, long seed) {
    this.site = site;
    random = new Random(seed);
    isPartitioned = seed % 2 == 1;
    old = one(List.of(OldImage.values()));
  }

  private record Column(int number, String name, String type) {
    boolean isKey() {
      return KEY.contains(name);
    }
  }

  /** Makes and captures the table. */
  void begin() throws Exception {
    create();
    setUp(false);
  }

  /** Changes it in so many steps, of which the last is an INSERT. */
  void change(int steps) throws Exception {
    for (int step = 0; step < steps; step++) {
      int kind = random.nextInt(20);
      if (kind < 11) {
        changeRows();
      } else if (kind < 17) {
        changeColumns();
      } else if (kind == 17) {
        snapshot();
      } else if (kind == 18) {
        setUp(true);
      } else {
        replay(random.nextBoolean() ? SnapshotSite.ALL : 2);
      }
    }
    insert();
  }

  /**
   * Compares the copy with the table; if losses are reported, after the remedy that they name,
   * which has to end them.
   *
   * @return how they differ, with all that was run; empty if they are equal
   */
  String difference() throws Exception {
    replay(SnapshotSite.ALL);
    if (!losses().isEmpty()) {
      setUp(true);
      snapshot();
      incomplete.clear();
      replay(SnapshotSite.ALL);
    }
    if (!losses().isEmpty() || !incomplete.isEmpty()) {
      return told("incomplete are " + incomplete + ", lost is " + losses());
    }
    List<String> captured = new ArrayList<>();
    for (Column column : columns()) {
      if (chosen.getOrDefault(column.number, false)) {
        captured.add(column.name);
      }
    }
    Collections.sort(captured);
    List<String> copied =
        site.target.query(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'public.t'::regclass AND attnum > 0"
                + " AND NOT attisdropped ORDER BY attname COLLATE \"C\"",
            row -> row.getString(1));
    if (!captured.equals(copied)) {
      return told("captured are " + captured + ", the copy has " + copied);
    }
    String rows =
        "SELECT ROW("
            + String.join(", ", captured.stream().map(name -> name + "::text").toList())
            + ")::text FROM public.t ORDER BY 1";
    List<String> here = site.source.ask(rows);
    List<String> there = site.target.query(rows, row -> row.getString(1));
    return here.equals(there) ? "" : told("rows " + here + "\ncopy " + there);
  }

  private String told(String difference) {
    return difference + "\n" + String.join("\n", script);
  }

  private List<CaptureFinding> losses() {
    try (Captures captures = site.captures()) {
      return captures.check().stream().filter(CaptureFinding::losesChanges).toList();
    }
  }

  private void create() {
    if (isPartitioned) {
      run(
          "CREATE TABLE public.t (id int, y int, a text, b int, c text, PRIMARY KEY (id, y))"
              + " PARTITION BY LIST (y)",
          "CREATE TABLE public.t1 PARTITION OF public.t FOR VALUES IN (1)",
          "CREATE TABLE public.t2 (c text, gone int, b int, a text, y int NOT NULL, id int NOT NULL)",
          "ALTER TABLE public.t2 DROP gone",
          "ALTER TABLE public.t ATTACH PARTITION public.t2 FOR VALUES IN (2)",
          "CREATE TABLE public.t3 PARTITION OF public.t DEFAULT");
    } else {
      run("CREATE TABLE public.t (id int PRIMARY KEY, a text, b int, c text)");
    }
  }

  /** Again with the same columns, as they are called now. */
  private void setUp(boolean again) throws Exception {
    ColumnChoice wanted = again ? choiceOfNow() : randomChoice();
    try {
      site.capture("public.t", new CaptureOptions(wanted, null, null, old), again);
      choice = wanted;
      chosen.clear();
      meetColumns();
      script.add("-- set up: again " + again + ", " + wanted + ", old " + old);
    } catch (DatabaseException | IllegalArgumentException refused) {
      script.add("-- refused: set up with " + wanted + ": " + refused.getMessage());
    }
  }

  private ColumnChoice choiceOfNow() throws SQLException {
    boolean only = !choice.only().isEmpty();
    List<String> names = new ArrayList<>();
    for (Column column : columns()) {
      if (chosen.getOrDefault(column.number, choice.has(column.name)) == only) {
        names.add(column.name);
      }
    }
    return only ? new ColumnChoice(names, List.of()) : new ColumnChoice(List.of(), names);
  }

  private ColumnChoice randomChoice() throws SQLException {
    List<String> names = new ArrayList<>();
    columns().stream().filter(column -> !column.isKey()).forEach(column -> names.add(column.name));
    Collections.shuffle(names, random);
    List<String> some = names.subList(0, 1 + random.nextInt(2));
    return switch (random.nextInt(4)) {
      case 0 -> new ColumnChoice(List.of(), some);
      case 1 -> {
        List<String> only = new ArrayList<>(some);
        only.addAll(isPartitioned ? KEY : Set.of("id"));
        yield new ColumnChoice(only, List.of());
      }
      default -> ColumnChoice.ALL;
    };
  }

  private void snapshot() throws Exception {
    try {
      site.snapshot("public.t");
      meetColumns();
      script.add("-- snapshot");
    } catch (DatabaseException | IllegalArgumentException refused) {
      script.add("-- refused: snapshot: " + refused.getMessage());
    }
  }

  private void replay(int rowsInSlot) throws Exception {
    site.source.record(rowsInSlot);
    incomplete.addAll(site.replay().incomplete());
    script.add("-- replay, " + rowsInSlot + " rows in a slot; incomplete " + incomplete);
  }

  private void changeRows() throws SQLException {
    List<Column> columns = columns();
    switch (random.nextInt(7)) {
      case 0, 1, 2 -> insert();
      case 3, 4 -> {
        Column column = one(columns);
        String value =
            switch (column.name) {
              case "id" -> "id + 1000";
              case "y" -> "1 + (y % 3)";
              default -> value(column);
            };
        statement(
            "UPDATE public.t SET %s = %s WHERE id %% 3 = %d"
                .formatted(column.name, value, random.nextInt(3)));
      }
      case 5 -> statement("DELETE FROM public.t WHERE id % 7 = " + random.nextInt(7));
      default -> {
        if (random.nextInt(5) == 0) {
          run("TRUNCATE public.t" + (isPartitioned ? one(List.of("", "1", "2", "3")) : ""));
        } else {
          statement("UPDATE public.t SET id = id WHERE id % 2 = 0");
        }
      }
    }
  }

  private void insert() throws SQLException {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (Column column : columns()) {
      if (column.isKey() || random.nextInt(4) > 0) {
        names.add(column.name);
        values.add(
            switch (column.name) {
              case "id" -> Integer.toString(nextId++);
              case "y" -> Integer.toString(1 + random.nextInt(3));
              default -> value(column);
            });
      }
    }
    statement(
        "INSERT INTO public.t (%s) VALUES (%s)"
            .formatted(String.join(", ", names), String.join(", ", values)));
  }

  private String value(Column column) {
    boolean isText = column.type.equals("text") || column.type.startsWith("character");
    return random.nextInt(6) == 0
        ? "NULL"
        : isText ? "'v" + random.nextInt(100) + "'" : Integer.toString(random.nextInt(100));
  }

  private void changeColumns() throws SQLException {
    List<Column> free = columns().stream().filter(column -> !column.isKey()).toList();
    String name = one(NAMES);
    if (free.isEmpty() || random.nextInt(4) == 0) {
      alter("ADD " + name + one(List.of(" text", " int DEFAULT 7")));
      return;
    }
    Column column = one(free);
    Column other = one(free);
    switch (random.nextInt(6)) {
      case 0 -> alter("DROP " + column.name);
      case 1 -> {
        if (alter("RENAME " + column.name + " TO " + name)) {
          back = "RENAME " + name + " TO " + column.name;
        }
      }
      case 2 -> {
        alter(back);
        back = "ALTER id DROP DEFAULT";
      }
      case 3 -> {
        String rename = "ALTER TABLE public.t RENAME %s TO %s";
        run(
            rename.formatted(column.name, "tmp"),
            rename.formatted(other.name, column.name),
            rename.formatted("tmp", other.name));
      }
      case 4 ->
          alter("ALTER " + column.name + " TYPE " + one(List.of("bigint", "varchar", "text")));
      default -> alter("ALTER " + column.name + " SET DEFAULT NULL");
    }
  }

  private boolean alter(String how) {
    return run("ALTER TABLE public.t " + how);
  }

  /** One after which the capture has met all columns. */
  private void statement(String sql) throws SQLException {
    if (run(sql)) {
      meetColumns();
    }
  }

  private boolean run(String... transaction) {
    try {
      site.source.run(transaction);
      script.add(String.join(";\n", transaction) + ";");
      return true;
    } catch (SQLException refused) {
      script.add("-- refused: " + String.join("; ", transaction) + ": " + refused.getMessage());
      return false;
    }
  }

  private void meetColumns() throws SQLException {
    columns()
        .forEach(column -> chosen.computeIfAbsent(column.number, n -> choice.has(column.name)));
  }

  private List<Column> columns() throws SQLException {
    return site.source.database.query(
        "SELECT attnum, attname, format_type(atttypid, atttypmod) FROM pg_attribute"
            + " WHERE attrelid = 'public.t'::regclass AND attnum > 0 AND NOT attisdropped"
            + " ORDER BY attnum",
        row -> new Column(row.getInt(1), row.getString(2), row.getString(3)));
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
