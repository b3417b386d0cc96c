package dev.recorder.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.table.KernelReader.FoundTable;
import dev.recorder.table.TableProof.TableVerdict;
import dev.recorder.table.parquet.ParquetFormat;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables of changes of captured tables, as Delta's own library reads them. */
class ChangeTablesTest {
  private static final String ACCOUNT = "public.account";
  private static final String COLUMNS =
      """
      {"name":"id","type":"bigint"},{"name":"amount","type":"numeric(12,2)"},\
      {"name":"at","type":"timestamp(3) with time zone"},{"name":"is open","type":"boolean"},\
      {"name":"log_id","type":"uuid"}""";

  private final TableLog log = new TableLog();
  private long nextId = 1;
  private Instant readAt = TableLog.NOON;

  private HandoffRow row(String payload) {
    long id = nextId++;
    return new HandoffRow(id, 700 + id, 1_772_000_000_000_000L + id, "k", payload);
  }

  private HandoffRow change(String table, String op, String more) {
    return row(
        "{\"by\":\"recorder_capture\",\"op\":\"%s\",\"table\":\"%s\",\"seq\":%d%s}"
            .formatted(op, table, 41 + nextId, more));
  }

  private HandoffRow schema(String table, String columns) {
    return change(table, "schema", ",\"relation\":1,\"columns\":[" + columns + "]");
  }

  private HandoffRow insert(String table, String row) {
    return change(table, "insert", ",\"key\":{\"id\":1},\"after\":" + row);
  }

  private void write(HandoffRow... rows) {
    log.write(readAt, rows);
  }

  private LogTable table() {
    return log.table(TableLog.settings(32 << 20, ""), new ParquetFormat());
  }

  private LogTable.TableProgress update(LogTable table) throws TableException {
    return table.bringUpTo(1, log.last(), () -> true, bytes -> true);
  }

  private FoundTable changesOf(String table) throws IOException {
    return KernelReader.read(log.bucket, TableLayout.ofChanges(log.layout, table));
  }

  /** What of each row is behind the log's own columns: op, seq and the columns of the table. */
  private List<String> values(String table) throws IOException {
    return changesOf(table).rows().stream()
        .map(row -> row.substring(row.indexOf("|2026-03-") + "|2026-03-01|".length()))
        .toList();
  }

  private TableVerdict verdict() throws TableException {
    return new TableProof(log.address(), new ParquetFormat()).run(1).orElseThrow();
  }

  @Test
  void eachCapturedTableHasItsChangesWithTheColumnsOfItsTypes() throws Exception {
    write(
        schema(ACCOUNT, COLUMNS),
        row("{\"mine\":1}"),
        insert(
            ACCOUNT,
            "{\"id\":7,\"amount\":1.50,\"at\":\"2026-01-02 03:04:05.678+00\",\"is open\":true,\"log_id\":\"u\"}"),
        schema("public.other", "{\"name\":\"id\",\"type\":\"integer\"}"));
    write(
        insert("public.other", "{\"id\":1}"),
        change(ACCOUNT, "delete", ",\"key\":{\"id\":7},\"before\":{\"amount\":2.25}"));

    assertThat(update(table()).covered()).isEqualTo(2);

    assertThat(changesOf(ACCOUNT).schema().fieldNames())
        .containsExactly(
            "log_id",
            "log_xid",
            "log_time",
            "log_key",
            "log_payload",
            "log_slot",
            "log_day",
            "log_op",
            "log_seq",
            "id",
            "amount",
            "at",
            "is_open",
            "log_id_2");
    assertThat(values(ACCOUNT))
        .containsExactlyInAnyOrder(
            "schema|42|-|-|-|-|-",
            "insert|44|7|1.50|1767323045678000|true|u",
            "delete|47|7|2.25|-|-|-");
    assertThat(values("public.other")).containsExactlyInAnyOrder("schema|45|-", "insert|46|1");
    assertThat(KernelReader.read(log.bucket, TableLayout.of(log.layout)).rows()).hasSize(6);
    assertThat(verdict().findings()).isEmpty();
    assertThat(verdict().changes()).containsExactlyInAnyOrder(ACCOUNT, "public.other");
  }

  @Test
  void columnsAreAddedAndAnotherTypeGetsAnotherColumn() throws Exception {
    write(schema(ACCOUNT, "{\"name\":\"id\",\"type\":\"integer\"}"), insert(ACCOUNT, "{\"id\":1}"));
    write(
        schema(
            ACCOUNT, "{\"name\":\"id\",\"type\":\"text\"},{\"name\":\"note\",\"type\":\"text\"}"),
        insert(ACCOUNT, "{\"id\":\"two\",\"note\":\"n\"}"),
        insert(ACCOUNT, "{\"id\":\"3\",\"note\":null}"));
    LogTable table = table();

    assertThat(update(table).misfits()).isZero();

    assertThat(values(ACCOUNT))
        .containsExactlyInAnyOrder(
            "schema|42|-|-|-",
            "insert|43|1|-|-",
            "schema|44|-|-|-",
            "insert|45|-|two|n",
            "insert|46|3|3|-");
    assertThat(verdict().findings()).isEmpty();
  }

  /** As a host that dies between the commits of both tables. */
  @Test
  void whoFindsChangesInTheirTableThatTheLogsTableLacksWritesThemOnce() throws Exception {
    write(schema(ACCOUNT, COLUMNS), insert(ACCOUNT, "{\"id\":1}"));
    update(table());
    write(insert(ACCOUNT, "{\"id\":2}"));
    long version = update(table()).version();
    log.bucket.delete(TableLayout.of(log.layout).commitKey(version));
    write(row("1"), insert(ACCOUNT, "{\"id\":3}"));

    assertThat(update(table()).covered()).isEqualTo(3);

    assertThat(values(ACCOUNT))
        .extracting(row -> row.split("\\|")[2])
        .containsExactlyInAnyOrder("-", "1", "2", "3");
    assertThat(verdict().findings()).isEmpty();
  }

  @Test
  void twoWhoWriteInTurnsLeaveEachChangeOnce() throws Exception {
    LogTable one = table();
    LogTable other = table();
    write(schema(ACCOUNT, COLUMNS), insert(ACCOUNT, "{\"id\":1}"));
    for (LogTable next : Arrays.asList(one, other, one, other)) {
      write(insert(ACCOUNT, "{\"id\":1}"));
      update(next);
      update(next); // The first may find that the other has written.
    }

    assertThat(values(ACCOUNT)).hasSize(6);
    assertThat(verdict().findings()).isEmpty();
    assertThat(verdict().covered()).isEqualTo(5);
  }

  @Test
  void smallFilesOfPastDaysAreMergedThoughNotAllSlotsHaveChanges() throws Exception {
    LogTable table = table();
    write(schema(ACCOUNT, COLUMNS), insert(ACCOUNT, "{\"id\":1}"));
    update(table);
    for (int slot = 0; slot < 3; slot++) {
      write(row("1"));
      write(insert(ACCOUNT, "{\"id\":1}"));
      update(table);
    }
    readAt = readAt.plus(Duration.ofDays(1));
    write(insert(ACCOUNT, "{\"id\":1}"));
    update(table);

    assertThat(changesOf(ACCOUNT).files()).isEqualTo(2);
    assertThat(values(ACCOUNT)).hasSize(6);
    assertThat(verdict().findings()).isEmpty();
  }

  @Test
  void theProofNamesChangesThatAreInNoTable() throws Exception {
    write(schema(ACCOUNT, COLUMNS), insert(ACCOUNT, "{\"id\":1}"));
    update(table());
    String root = TableLayout.ofChanges(log.layout, ACCOUNT).root();
    log.bucket.objects().keySet().stream()
        .filter(key -> key.startsWith(root))
        .toList()
        .forEach(log.bucket::delete);

    assertThat(verdict().findings())
        .containsExactly("table of changes of public.account: changes of slot 1 are in no file");
  }
}
