package dev.recorder.app.cli.output;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import com.github.freva.asciitable.OverflowBehaviour;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table without lines, for terminals and for pasting into mails: numbers right, text left. What
 * is in its cells is {@link Shown}.
 */
public final class Table<T> {
  private static final int WIDEST = 200;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSX", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final List<ColumnData<T>> columns = new ArrayList<>();

  public Table<T> text(String header, Function<T, @Nullable Object> value) {
    return column(header, HorizontalAlign.LEFT, value);
  }

  public Table<T> number(String header, Function<T, @Nullable Object> value) {
    return column(header, HorizontalAlign.RIGHT, value);
  }

  private Table<T> column(
      String header, HorizontalAlign align, Function<T, @Nullable Object> value) {
    columns.add(
        new Column()
            .header(header)
            .headerAlign(align)
            .dataAlign(align)
            .maxWidth(WIDEST, OverflowBehaviour.NEWLINE)
            .with(row -> shown(value.apply(row))));
    return this;
  }

  public String of(Collection<T> rows) {
    String table =
        AsciiTable.builder()
            .border(AsciiTable.NO_BORDERS)
            .lineSeparator("\n")
            .data(rows, columns)
            .asString();
    // Each cell has a blank on both sides; at the ends of lines they would only be in the way.
    return table
        .lines()
        .map(line -> line.substring(1).stripTrailing())
        .collect(Collectors.joining("\n"));
  }

  private static String shown(@Nullable Object value) {
    if (value == null) {
      return "-";
    }
    return value instanceof Instant time ? TIME.format(time) : Shown.of(value.toString());
  }
}
