package dev.recorder.table.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.table.FileFormat;
import dev.recorder.table.TableColumns;
import dev.recorder.table.TableRow;
import java.io.File;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ParquetFormatTest {
  private static final TableColumns COLUMNS =
      TableColumns.parse(
          "a:$.a bigint, b:$.b int, c:$.c double, d:$.d boolean, e:$.e string, f:$.f decimal(9,2),"
              + " g:$.g decimal(18,0), h:$.h decimal(38,10), i:$.i timestamp, j:$.j date");

  private final ParquetFormat format = new ParquetFormat();

  private static TableRow row(long id, String payload, Object... typed) {
    ByteBuffer key = id % 2 == 0 ? null : ByteBuffer.wrap(("k" + id).getBytes(UTF_8));
    return new TableRow(
        id,
        -1,
        id * 1_000_000,
        key,
        ByteBuffer.wrap(payload.getBytes(UTF_8)),
        id / 10,
        Arrays.asList(typed));
  }

  private byte[] file(TableColumns columns, Iterable<TableRow> rows) {
    FileFormat.RowFile file = format.begin(columns);
    rows.forEach(file::add);
    return file.finish();
  }

  private List<TableRow> read(byte[] file, TableColumns columns) {
    List<TableRow> rows = new ArrayList<>();
    format.read(file, columns, rows::add);
    return rows;
  }

  @Test
  void valuesOfEachTypeAreReadAsTheyWereWritten() {
    List<TableRow> rows =
        List.of(
            row(
                1,
                "{}",
                Long.MIN_VALUE,
                Integer.MAX_VALUE,
                0.1,
                true,
                "é",
                new BigDecimal("-1234567.89"),
                new BigDecimal("999999999999999999"),
                new BigDecimal("-1234567890123456789012345678.0123456789"),
                -1L,
                -1),
            row(2, "{\"é\":\"\"}", new Object[10]));

    assertThat(read(file(COLUMNS, rows), COLUMNS)).isEqualTo(rows);
  }

  @Test
  void aColumnThatTheFileDoesNotHaveIsNull() {
    byte[] file = file(TableColumns.NONE, List.of(row(1, "1")));

    assertThat(read(file, TableColumns.parse("a:$.a int")))
        .containsExactly(row(1, "1", new Object[1]));
  }

  @Test
  void rowsAreMoreThanOneGroupHoldsAndTheSameRowsGiveTheSameBytes() {
    List<TableRow> rows = new ArrayList<>();
    for (int id = 1; id <= 40; id++) {
      rows.add(row(id, "{\"text\":\"" + Integer.toString(id).repeat(1 << 19) + "\"}"));
    }

    byte[] file = file(TableColumns.NONE, rows);

    assertThat(read(file, TableColumns.NONE)).isEqualTo(rows);
    assertThat(file(TableColumns.NONE, rows)).isEqualTo(file);
    assertThat(file.length).isLessThan(1 << 20);
  }

  @Test
  void whatIsNoFileOrIsCutOffIsDamaged() {
    byte[] file = file(TableColumns.NONE, List.of(row(1, "1")));

    for (byte[] damaged :
        List.of(new byte[0], "text".getBytes(UTF_8), Arrays.copyOf(file, file.length - 9))) {
      assertThatThrownBy(() -> read(damaged, TableColumns.NONE))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Run by its name, where there is no Hadoop. */
  public static final class WithoutHadoop implements Callable<Integer> {
    @Override
    public Integer call() {
      ParquetFormatTest test = new ParquetFormatTest();
      byte[] file = test.file(COLUMNS, List.of(row(1, "{}", new Object[10])));
      byte[] checkpoint = test.format.checkpoint(List.of());
      return test.read(file, COLUMNS).size() + test.format.readCheckpoint(checkpoint).size();
    }
  }

  @Test
  void noClassOfHadoopIsNeeded() throws Exception {
    URL[] libraries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(path -> !Path.of(path).getFileName().toString().matches("(hadoop|delta).*"))
            .map(ParquetFormatTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader loader =
        new URLClassLoader(libraries, ClassLoader.getPlatformClassLoader())) {
      assertThatThrownBy(() -> loader.loadClass("org.apache.hadoop.conf.Configuration"))
          .isInstanceOf(ClassNotFoundException.class);
      Object work =
          loader.loadClass(WithoutHadoop.class.getName()).getDeclaredConstructor().newInstance();

      assertThat(((Callable<?>) work).call()).isEqualTo(1);
    }
  }

  private static URL url(String path) {
    try {
      return Path.of(path).toUri().toURL();
    } catch (java.net.MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
