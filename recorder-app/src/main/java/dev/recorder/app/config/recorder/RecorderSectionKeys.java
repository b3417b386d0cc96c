package dev.recorder.app.config.recorder;

import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.value.ByteSize;
import dev.recorder.app.config.value.CaptureTables;
import dev.recorder.app.config.value.History;
import dev.recorder.app.config.value.LingerSetting;
import dev.recorder.app.config.value.LogLevelWord;
import dev.recorder.app.config.value.RowSource;
import dev.recorder.app.config.value.Rule;
import dev.recorder.app.config.value.TableFormWord;
import dev.recorder.app.config.value.TablePartitionWord;
import dev.recorder.clearing.ClearingPlan;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.leadership.Failback;
import dev.recorder.machine.settings.ElectionKind;
import dev.recorder.requests.QueryText;
import dev.recorder.schema.PayloadLimit;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LingerRule;
import dev.recorder.slotlog.Rotation;
import dev.recorder.table.TableColumns;
import dev.recorder.table.TableSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code [recorder:NAME]}. */
public final class RecorderSectionKeys {
  public static final SettingTable TABLE = new SettingTable(RecorderSection.SECTION);

  /** The lockid of the lock under which tables are created and recorders are registered. */
  public static final int RESERVED_LOCK_ID = 999;

  private static final String EXEC = "exec:";

  public static final Setting<Integer> LOCKID =
      TABLE.add(
          new Setting<>("lockid", Integer.class, null, new LockId())
              .required()
              .takes("`1` to `998`")
              .means("A different number for each recorder. 999 is reserved."));

  public static final Setting<RecorderKind> KIND =
      TABLE.add(
          Setting.word("kind", RecorderKind.LOG)
              .means(
                  "`log`: one host at a time records rows in order. `requests`: all hosts process"
                      + " [units of work](requests.md) at once."));

  public static final Setting<ElectionKind> ELECTION =
      TABLE.add(
          Setting.word("election", ElectionKind.ADVISORY)
              .only(RecorderKind.LOG)
              .means(
                  "How the active host is elected. `advisory`: by heartbeats and a lock in the"
                      + " database. `redis`: by [an expiring key in"
                      + " Redis](election.md#recorders-that-a-key-elects)."));

  public static final Setting<Boolean> PRIMARY =
      TABLE.add(
          Setting.flag("primary", null)
              .otherwise("required")
              .mayDiffer()
              .reloadedWhile(KIND, ELECTION)
              .means(
                  "Whether this host is preferred as the active host. Write `true` on one host"
                      + " only. An error with `kind = requests` and with `election = redis`."));

  public static final Setting<Failback> FAILBACK =
      TABLE.add(
          Setting.word("failback", Failback.AUTO)
              .only(RecorderKind.LOG)
              .reloadedWhile(KIND, ELECTION)
              .means(
                  "Whether the recorder returns to its primary by itself. No effect with"
                      + " `election = redis`."));

  public static final Setting<RowSource> SOURCE =
      TABLE.add(
          Setting.word("source", RowSource.HANDOFF)
              .only(RecorderKind.LOG)
              .means(
                  "`timer`: the active host inserts a row `{\"tick\":n}` every `interval`, to try"
                      + " things out."));

  public static final Setting<Duration> INTERVAL =
      TABLE.add(
          Setting.durationIfAny("interval", "1s", "10ms", "24h")
              .only(RecorderKind.LOG)
              .means("Time between two rows of `source = timer`. Without that source a warning."));

  public static final Setting<Integer> WORKERS =
      TABLE.add(
          Setting.number("workers", 4, 1, 64)
              .only(RecorderKind.REQUESTS)
              .means(
                  "How many entities this host processes at the same time, each on a database"
                      + " session of its own."));

  public static final Setting<String> HANDLER =
      TABLE.add(
          new Setting<>("handler", String.class, null, new HandlerName())
              .otherwise("built-in")
              .takes("a name, or `exec:` and an absolute path")
              .only(RecorderKind.REQUESTS)
              .means(
                  "How requests take effect. By default they become one JSON document per entity in"
                      + " the bucket. With this key they go to [a handler of your"
                      + " own](handlers.md): `exec:` and the path of a program without arguments,"
                      + " or the provider's name of a Java class."));

  public static final Setting<Duration> HANDLER_TIMEOUT =
      TABLE.add(
          Setting.duration("handler_timeout", "60s", "1s", "1h")
              .only(RecorderKind.REQUESTS)
              .means(
                  "How long the handler may take for one create, or for the updates of"
                      + " an entity that are processed together."));

  public static final Setting<Integer> MAX_ATTEMPTS =
      TABLE.add(
          Setting.number("max_attempts", 20, 1, 1000)
              .only(RecorderKind.REQUESTS)
              .means("A request that failed temporarily this many times becomes an error."));

  public static final Setting<String> QUERY =
      TABLE.add(
          new Setting<>("query", String.class, null, new Query())
              .otherwise("payloads are merged")
              .takes("`SELECT …` or `WITH …`, on one line")
              .only(RecorderKind.REQUESTS)
              .means(
                  "Only with the built-in handler. The query builds the [whole"
                      + " document](capture.md#documents) of the entity `:entity`, which replaces"
                      + " the former document. Payloads are ignored."));

  public static final Setting<CaptureTables> CAPTURE =
      TABLE.add(
          new Setting<>("capture", CaptureTables.class, null, new CaptureTables.EachTableOnce())
              .takes("tables, with commas between")
              .reloadedWhile(KIND)
              .means(
                  "Tables whose [changes are captured](capture.md#in-the-file), quoted as in SQL. A"
                      + " table without a schema is in `public`. With `kind = requests` each table"
                      + " needs a section with `entity`."));

  public static final Setting<LingerSetting> LINGER =
      TABLE.add(
          new Setting<>(
                  "linger",
                  LingerSetting.class,
                  new LingerSetting(LingerRule.DEFAULT.company()),
                  new LingerSetting.LingerLimits(Duration.ofHours(1)))
              .takes("`0s` to `1h`, `auto`")
              .only(RecorderKind.LOG)
              .means(
                  "How long rows wait for a fuller object, counted from when the first of them is"
                      + " seen. `auto`: at most one object in 10 s, except full ones, and a row"
                      + " after a longer pause waits for 1 s. [What objects"
                      + " cost](operating.md#objects-and-what-they-cost)."));

  public static final Setting<Integer> ROTATE_ROWS =
      TABLE.add(
          Setting.number("rotate_rows", Rotation.DEFAULT.rows(), 1, 10_000_000)
              .only(RecorderKind.LOG)
              .means("Maximum number of rows in an object."));

  public static final Setting<ByteSize> ROTATE_BYTES =
      TABLE.add(
          Setting.size("rotate_bytes", Rotation.DEFAULT.bytes(), "1KiB", "1GiB")
              .only(RecorderKind.LOG)
              .means(
                  "Maximum size of an object before compression. A larger row gets an object of its"
                      + " own."));

  public static final Setting<ByteSize> MAX_PAYLOAD =
      TABLE.add(
          Setting.size("max_payload", PayloadLimit.DEFAULT_BYTES, "1KiB", "256MiB")
              .means(
                  "Largest payload that the table accepts. The INSERT of a larger payload fails,"
                      + " and the error names the check `payload_within_max_payload`. Two fifths of"
                      + " the heap must hold the largest row twice: once as it is read, once as it"
                      + " is packed or sent. Otherwise the recorder is refused at start. 16 MiB"
                      + " need `-Xmx87m`, 64 MiB `-Xmx339m`."));

  public static final Setting<Compression> COMPRESSION =
      TABLE.add(
          Setting.word("compression", Compression.GZIP)
              .only(RecorderKind.LOG)
              .means(
                  "`zstd` makes smaller objects in less time. Their names end in `.ndjson.zst`. The"
                      + " value cannot be changed once the log is created."));

  public static final Setting<History> HISTORY =
      TABLE.add(
          new Setting<>(
                  "history",
                  History.class,
                  null,
                  new History.HistoryLimits(Duration.ofMinutes(1), Duration.ofDays(3650)))
              .otherwise("`7d`; `forever` for requests")
              .takes("`0`, `1m` to `3650d`, `forever`")
              .means(
                  "Recorded rows, or settled requests, are [deleted from the"
                      + " table](operating.md#clearing) after this time. A row is deleted only once"
                      + " it was found in S3. `0` is not allowed for requests."));

  public static final Setting<ByteSize> HISTORY_BLOCK =
      TABLE.add(
          Setting.size("history_block", ClearingPlan.DEFAULT_BLOCK, "1MiB", "64GiB")
              .only(RecorderKind.LOG)
              .means(
                  "Only with `history` under 10 minutes. Size of the rows, with their indexes, that"
                      + " are deleted together. The table has two or three such blocks. Smaller"
                      + " blocks [use up more ids](operating.md#clearing)."));

  public static final Setting<Duration> VERIFY_EVERY =
      TABLE.add(
          Setting.durationIfAny("verify_every", "1d", "1m", "30d")
              .otherwise("not at all")
              .only(RecorderKind.LOG)
              .means(
                  "Time from the end of one"
                      + " [verification](operating.md#verifying-on-a-schedule) to the beginning of"
                      + " the next, which covers the slots written since."));

  public static final Setting<TableFormWord> TABLE_FORM =
      TABLE.add(
          Setting.wordIfAny("table", TableFormWord.class)
              .otherwise("no table")
              .only(RecorderKind.LOG)
              .means(
                  "`delta`: the active host also writes the log as [a table of Delta"
                      + " Lake](delta.md), beside the log's objects."));

  public static final Setting<Duration> TABLE_INTERVAL =
      TABLE.add(
          Setting.duration("table_interval", TableSettings.DEFAULT_INTERVAL, "1s", "24h")
              .only(RecorderKind.LOG)
              .means(
                  "Only with `table`. How often new slots are added to the table. Their files are"
                      + " merged later."));

  public static final Setting<ByteSize> TABLE_BYTES =
      TABLE.add(
          Setting.size("table_bytes", TableSettings.DEFAULT_BYTES, "1MiB", "1GiB")
              .only(RecorderKind.LOG)
              .means(
                  "Only with `table`. Maximum size of the rows of one file, counted as in the"
                      + " uncompressed log; one slot goes in whatever its size. A file is in the heap while it is written. The file"
                      + " ends earlier if the heap has no room for more rows."));

  public static final Setting<TableColumns> TABLE_COLUMNS =
      TABLE.add(
          new Setting<>("table_columns", TableColumns.class, null, new TypedColumns())
              .takes("`name:$.path type`, with commas between")
              .only(RecorderKind.LOG)
              .means(
                  "Only with `table`. [Columns with values of the payload](delta.md#typed-columns),"
                      + " such as `amount:$.amount decimal(18,2)`."));

  public static final Setting<TablePartitionWord> TABLE_PARTITION =
      TABLE.add(
          Setting.word("table_partition", TablePartitionWord.DAY)
              .only(RecorderKind.LOG)
              .means(
                  "Only with `table`. Whether the table's files are divided by day. The value"
                      + " cannot be changed once the table exists."));

  static {
    TABLE.inherit(S3Config.TABLE);
  }

  public static final Setting<LogLevelWord> LOG_LEVEL =
      TABLE.add(
          new Setting<>(
                  "log_level",
                  LogLevelWord.class,
                  null,
                  new Rule.Any<>("one of error, warn, info, debug"))
              .otherwise("`[log] level`")
              .takes("`error`, `warn`, `info`, `debug`")
              .mayDiffer()
              .reloadedWhile()
              .means(
                  "Lowest level of [lines of this recorder](logs.md#levels) on this host."
                      + " `debug` logs each step of the recorder's work."));

  private RecorderSectionKeys() {}

  static @Nullable Path program(String handler) {
    return handler.startsWith(EXEC) ? Path.of(handler.substring(EXEC.length())) : null;
  }

  private record LockId() implements Rule<Integer> {
    @Override
    public @Nullable String fault(Integer value) {
      if (value == RESERVED_LOCK_ID) {
        return "is reserved for creating tables and registering";
      }
      return value >= 1 && value < RESERVED_LOCK_ID ? null : "is out of range";
    }

    @Override
    public String allowed() {
      return "a whole number from 1 to 998 that no other recorder has";
    }
  }

  private record HandlerName() implements Rule<String> {
    private static final Pattern PROVIDER = Pattern.compile("[A-Za-z_][A-Za-z0-9_.$-]{0,254}");

    @Override
    public @Nullable String fault(String value) {
      if (!value.startsWith(EXEC)) {
        return PROVIDER.matcher(value).matches() ? null : "is not a handler's name";
      }
      if (value.equals(EXEC)) {
        return "names no program";
      }
      try {
        Path program = program(value);
        return program != null && program.isAbsolute() ? null : "is not an absolute path";
      } catch (InvalidPathException unusable) {
        return "is not a path of this host";
      }
    }

    @Override
    public String allowed() {
      return "the name of a handler's provider, or exec: and the absolute path of a program"
          + " without arguments; or leave the key out for the built-in handler";
    }
  }

  /**
   * Accepts every value: the conversion has already refused a text that is not a list of columns.
   */
  private record TypedColumns() implements Rule<TableColumns> {
    @Override
    public @Nullable String fault(TableColumns value) {
      return null;
    }

    @Override
    public String allowed() {
      return "columns such as amount:$.amount decimal(18,2), with commas between: a name that the"
          + " table does not have (id, xid, time, key, payload, slot, day), a path of names and"
          + " [numbers], and one of bigint, int, double, boolean, string, timestamp, date,"
          + " decimal(p,s)";
    }
  }

  private record Query() implements Rule<String> {
    @Override
    public @Nullable String fault(String value) {
      String fault = QueryText.fault(value);
      return fault.isEmpty() ? null : fault;
    }

    @Override
    public String allowed() {
      return "one SELECT that yields the document of the entity whose id is :entity, on one line;"
          + " let a longer one be a view";
    }
  }
}
