package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.SnapshotSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.operate.rebase.RebaseSite;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values that change without a statement on their table, so that only a snapshot tells them. Each
 * change is made to a table in a schema of its own, and several are looked at and replayed
 * together; {@link RecapturedValuesIT} has what comes next, and those that need a database for
 * themselves.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ChangedValuesIT {
  private static final String PG_UPGRADE =
      "UPDATE pg_attribute SET attname = attname WHERE attrelid = 'public.t'::regclass";
  private static final String PAIRS = "INSERT INTO public.t VALUES (1, '(1,{a})')";
  private static final String V = "INSERT INTO public.t VALUES (1, '%s')";

  private static final int TOGETHER = 10;

  private final Map<Change, Seen> seen = new LinkedHashMap<>();

  /** What became of it: which losses were found, which rows there are, and which the copy has. */
  private record Seen(String table, List<String> lost, List<String> rows, List<String> copied) {}

  /** What is done to a table {@code public.t} and its types, which are its schema's. */
  private record Change(String name, String columns, List<String> before, List<String> then) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Change change(String name, String columns, @Nullable String row, String... then) {
    return new Change(name, columns, row == null ? List.of() : List.of(row), List.of(then));
  }

  /** Of a column that gets another type. */
  private static Change retyped(String type, String value, String to, String... then) {
    return new Change(
        type + " to " + to,
        ", v " + type,
        List.of(V.formatted(value.replace("'", "''"))),
        Stream.concat(
                Stream.of(
                    "SET TimeZone = 'Europe/Berlin'", "ALTER TABLE public.t ALTER v TYPE " + to),
                Stream.of(then))
            .toList());
  }

  private static Stream<Change> losses() {
    String one = "INSERT INTO public.t VALUES (1)";
    String renamed = "ALTER TYPE public.mood RENAME VALUE 'a' TO 'aa'";
    String another = "INSERT INTO public.t VALUES (2, DEFAULT)";
    String dropped = "ALTER TABLE public.t ALTER COLUMN c DROP DEFAULT";
    String anew = "VACUUM FULL public.t";
    String two = "INSERT INTO public.t VALUES (2)";
    String xml = "<?xml version=\"1.0\" encoding=\"utf-8\"?><a/>";
    return Stream.of(
        change("a label of an enum that is renamed", ", m public.mood", V.formatted("a"), renamed),
        change(
            "behind a domain in an array of a composite type", ", p public.pair[]", null, renamed),
        change(
            "an attribute that a type gets",
            ", p public.pair",
            PAIRS,
            "ALTER TYPE public.pair ADD ATTRIBUTE three int"),
        change(
            "a default that is written into rows before the log has it",
            "",
            one,
            "ALTER TABLE public.t ADD COLUMN c int DEFAULT 5",
            anew,
            two),
        change(
            "values that the server makes of others",
            "",
            one,
            "ALTER TABLE public.t ADD COLUMN d int GENERATED ALWAYS AS (id * 2) STORED"),
        change(
            "a type of the same values after pg_upgrade",
            ", v text",
            V.formatted("v"),
            PG_UPGRADE,
            "ALTER TABLE public.t ALTER v TYPE text USING upper(v)"),
        // What made the values is gone from the catalog, or was never in it.
        change(
            "values of a volatile default that is dropped",
            "",
            one,
            "ALTER TABLE public.t ADD COLUMN c uuid DEFAULT gen_random_uuid()",
            dropped,
            anew,
            two),
        change(
            "values of a default that is dropped",
            "",
            one,
            "ALTER TABLE public.t ADD COLUMN c int DEFAULT 5",
            dropped,
            anew,
            two),
        change(
            "values of a domain's default",
            "",
            one,
            "ALTER TABLE public.t ADD COLUMN c public.counted",
            anew,
            two),
        // USING may have made the texts, and nothing in the catalog says that it has not.
        change(
            "a type that takes its values, if another column has the table written anew",
            ", i int, v varchar(9)",
            "INSERT INTO public.t VALUES (1, 1, 'v')",
            "ALTER TABLE public.t ALTER i TYPE bigint, ALTER v TYPE text USING upper(v)"),
        retyped("text", "5", "int USING v::int + 1"),
        // Of the same type; the second has no TOAST table, the others have.
        retyped("jsonb", "{}", "jsonb USING jsonb_build_object('a', v)", another),
        retyped(
            "timestamptz",
            "2026-01-01 10:00+00",
            "timestamptz USING v - interval '1 hour'",
            another),
        retyped("varchar(20)", "abcdef", "varchar(3) USING right(v, 3)", another),
        retyped(
            "text",
            "a",
            "text USING upper(v), ALTER v SET DEFAULT 'x', ALTER v SET NOT NULL",
            another),
        // Of a type that takes its values and gives them other texts.
        retyped("timestamp", "2026-01-01 12:00", "timestamptz"),
        retyped("date", "2026-01-01", "timestamptz"),
        retyped("time", "12:00", "timetz"),
        retyped("real", "0.1", "double precision"),
        // None of its type, but of what made the values of it.
        retyped("varchar(9)", "a", "text USING upper(v)"),
        retyped("xml", xml, "text"),
        retyped("public.document", xml, "text"),
        retyped("xml[]", "{<?xml version='1.0' encoding='utf-8'?><a/>}", "text[]"),
        retyped("oid", "4000000000", "int"),
        retyped("regtype", "integer", "oid"));
  }

  private static Stream<Change> none() {
    String another = "INSERT INTO public.t (id) VALUES (2)";
    String[] all = {
      "VACUUM FULL public.t", "CLUSTER public.t USING t_pkey", "REINDEX TABLE public.t"
    };
    // Of pg_upgrade there is what it does to the catalog: it writes all rows of it, and no file.
    String[] anew =
        Stream.of(Stream.of(all), Stream.of(PG_UPGRADE), Stream.of(all))
            .flatMap(each -> each)
            .toArray(String[]::new);
    Stream<Change> changes =
        Stream.of(
            change(
                "a label that an enum gets, and an attribute that is renamed",
                ", m public.mood, p public.pair",
                null,
                "ALTER TYPE public.mood ADD VALUE 'between' BEFORE 'b'",
                "ALTER TYPE public.pair RENAME ATTRIBUTE one TO first"),
            change(
                "a column that is dropped before its type changes",
                ", m public.mood, p public.pair",
                null,
                "ALTER TABLE public.t DROP COLUMN p",
                "ALTER TYPE public.pair ADD ATTRIBUTE three int"),
            change(
                "a table that is written anew as it is",
                ", n int",
                "INSERT INTO public.t VALUES (1, 1)",
                anew),
            change(
                "a table that is emptied",
                ", v text",
                V.formatted("v"),
                "TRUNCATE public.t",
                another),
            change("the same with a TOAST table", ", v text", V.formatted("v"), anew),
            change(
                "a column that is wider or has another default in a table that is written anew",
                ", v varchar(9), n numeric(9, 2), more text",
                "INSERT INTO public.t VALUES (1, 'v', 1)",
                "ALTER TABLE public.t ALTER v TYPE varchar(20), ALTER n TYPE numeric(12, 2)",
                "ALTER TABLE public.t ALTER v SET DEFAULT 'x'",
                "VACUUM FULL public.t",
                "INSERT INTO public.t VALUES (2, 'w', 2)"),
            change("pg_upgrade", ", v text", V.formatted("v"), PG_UPGRADE),
            change(
                "a column that is added and filled by statements",
                ", v text",
                V.formatted("v"),
                "ALTER TABLE public.t ADD COLUMN c int",
                "UPDATE public.t SET c = 5",
                "ALTER TABLE public.t ALTER COLUMN c SET DEFAULT 5, ALTER COLUMN c SET NOT NULL",
                "ALTER TABLE public.t ADD COLUMN d int DEFAULT 7",
                another),
            change(
                "two columns of types that give their values the same texts",
                ", i int, v char(5)",
                "INSERT INTO public.t VALUES (1, 1, 'v')",
                "ALTER TABLE public.t ALTER COLUMN i TYPE bigint, ALTER COLUMN v TYPE text",
                "INSERT INTO public.t VALUES (2, 2, 'v')"));
    String[][] types = {
      {"int", "5", "bigint"},
      {"bigint", "9007199254740993", "double precision"},
      {"smallint", "5", "numeric(9,2)"},
      {"numeric", "0.1", "double precision"},
      {"varchar(9)", "v", "text"},
      {"char(5)", "v", "text"},
      {"text", "v", "varchar"},
      {"date", "2026-01-01", "timestamp"},
      {"timestamp", "2026-01-01 12:00", "timestamptz"},
      {"timestamptz", "2026-01-01 12:00", "timestamp"},
      {"cidr", "10.0.0.1/32", "inet"},
      {"bit(3)", "101", "varbit"},
      {"text", "v", "public.words"},
      {"text", "v", "extension.citext"},
      {"extension.citext", "v", "text"},
      {"public.words", "v", "varchar"},
      {"xml", "<a/>", "public.document"},
      {"public.mood", "a", "public.feeling"}
    };
    return Stream.concat(
        changes,
        Stream.of(types)
            .map(
                type -> {
                  Change to = retyped(type[0], type[1], type[2], another);
                  List<String> then = new ArrayList<>(to.then());
                  then.set(0, "SET TimeZone = 'UTC'");
                  return new Change(to.name(), to.columns(), to.before(), then);
                }));
  }

  @BeforeAll
  void changeAll() throws Exception {
    changeAll(losses().toList());
    changeAll(none().toList());
  }

  /** Some at a time: what a capture costs grows with those that are there. */
  private void changeAll(List<Change> changes) throws Exception {
    for (int from = 0; from < changes.size(); from += TOGETHER) {
      changeTogether(changes.subList(from, Math.min(changes.size(), from + TOGETHER)));
    }
  }

  private void changeTogether(List<Change> changes) throws Exception {
    try (SnapshotSite site = new SnapshotSite();
        Captures captures = site.captures()) {
      site.source.database.execute(
          "CREATE SCHEMA extension",
          "CREATE EXTENSION citext SCHEMA extension",
          "GRANT USAGE ON SCHEMA extension TO PUBLIC");
      CaptureOptions options = new CaptureOptions(ColumnChoice.ALL, null, null, OldImage.KEY);
      for (Change each : changes) {
        String schema = "s" + changes.indexOf(each);
        run(
            site,
            schema,
            List.of(
                "CREATE SCHEMA public",
                "CREATE TYPE public.mood AS ENUM ('a', 'b')",
                "CREATE DOMAIN public.feeling AS public.mood",
                "CREATE DOMAIN public.counted AS int DEFAULT 7",
                "CREATE DOMAIN public.words AS text",
                "CREATE DOMAIN public.document AS xml",
                "CREATE TYPE public.pair AS (one int, two public.feeling[])",
                "CREATE TABLE public.t (id int PRIMARY KEY" + each.columns() + ")"));
        captures.add(new WantedCapture(RebaseSite.ORDERS, schema + ".t", options), false);
        run(site, schema, each.before());
      }
      assertThat(captures.check()).noneMatch(CaptureFinding::losesChanges);
      for (Change each : changes) {
        run(site, "s" + changes.indexOf(each), each.then());
      }
      List<CaptureFinding> found = captures.check();
      site.source.record(SnapshotSite.ALL);
      site.replay();
      for (Change each : changes) {
        String table = "s" + changes.indexOf(each) + ".t";
        String rows = "SELECT t::text FROM " + table + " t ORDER BY 1";
        seen.put(
            each,
            new Seen(
                table,
                found.stream()
                    .filter(finding -> finding.losesChanges() && finding.table().equals(table))
                    .map(CaptureFinding::text)
                    .toList(),
                site.source.ask(rows),
                site.target.query(rows, row -> row.getString(1))));
      }
    }
  }

  /** As the owner, but for what only a superuser may. */
  private static void run(SnapshotSite site, String schema, List<String> statements)
      throws SQLException {
    String[] own =
        statements.stream().map(each -> each.replace("public", schema)).toArray(String[]::new);
    if (statements.contains(PG_UPGRADE)) {
      site.source.database.execute(own);
    } else {
      site.source.run(own);
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void isALossUntilASnapshot(Change change) {
    Seen here = seen.get(change);
    assertThat(here.lost())
        .singleElement()
        .asString()
        .contains("capture add " + here.table() + " --recorder orders --again --snapshot");
  }

  @ParameterizedTest
  @MethodSource("none")
  void isNone(Change change) {
    Seen here = seen.get(change);
    assertThat(here.lost()).isEmpty();
    assertThat(here.copied()).isEqualTo(here.rows());
  }
}
