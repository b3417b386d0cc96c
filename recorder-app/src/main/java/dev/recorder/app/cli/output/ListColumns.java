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
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a list, for people and for programs. People get a table without lines, numbers
 * right and text left, with each cell as {@link EscapedText}. Programs get a JSON object for each
 * row.
 */
public final class ListColumns<T> {
  private static final int WIDEST = 200;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSX", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final List<ColumnData<T>> columns = new ArrayList<>();
  private final List<BiConsumer<JsonObject, T>> members = new ArrayList<>();

  /** Adds a column of text that only people get. */
  public ListColumns<T> text(String header, Function<T, @Nullable Object> value) {
    return column(header, HorizontalAlign.LEFT, value);
  }

  public ListColumns<T> text(String header, String member, Function<T, @Nullable Object> value) {
    return text(header, value).member(member, value);
  }

  /** Adds a column of numbers that only people get. */
  public ListColumns<T> number(String header, Function<T, @Nullable Object> value) {
    return column(header, HorizontalAlign.RIGHT, value);
  }

  public ListColumns<T> number(String header, String member, Function<T, @Nullable Object> value) {
    return number(header, value).member(member, value);
  }

  /** Adds a member that only programs get. */
  public ListColumns<T> member(String name, Function<T, @Nullable Object> value) {
    members.add((object, row) -> object.with(name, value.apply(row)));
    return this;
  }

  /** Adds members that only programs get. */
  public ListColumns<T> members(Function<T, JsonObject> more) {
    members.add((object, row) -> object.putAll(more.apply(row)));
    return this;
  }

  private ListColumns<T> column(
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
    // Removes the blanks at the ends of lines, which come from the blanks around each cell.
    return table
        .lines()
        .map(line -> line.substring(1).stripTrailing())
        .collect(Collectors.joining("\n"));
  }

  public JsonObject json(T row) {
    JsonObject object = new JsonObject();
    members.forEach(member -> member.accept(object, row));
    return object;
  }

  private static String shown(@Nullable Object value) {
    if (value == null) {
      return "-";
    }
    return value instanceof Instant time ? TIME.format(time) : EscapedText.of(value.toString());
  }
}
