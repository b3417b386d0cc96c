package dev.recorder.app.config.value;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Column names as in the catalog: {@code id, name}. */
public record ColumnNames(List<String> columns) {
  private static final Pattern BLANKS_AROUND = Pattern.compile("^[ \\t]+|[ \\t]+$");

  public ColumnNames {
    columns = List.copyOf(columns);
  }

  /** Splits the text at commas, and trims blanks. */
  public static ColumnNames parse(String text) {
    return new ColumnNames(
        Arrays.stream(text.split(",", -1))
            .map(name -> BLANKS_AROUND.matcher(name).replaceAll(""))
            .toList());
  }

  @Override
  public String toString() {
    return String.join(", ", columns);
  }

  public record EachColumnOnce() implements Rule<ColumnNames> {
    @Override
    public @Nullable String fault(ColumnNames value) {
      if (value.columns().contains("")) {
        return "has a column without a name";
      }
      boolean unique = new HashSet<>(value.columns()).size() == value.columns().size();
      return unique ? null : "has a column twice";
    }

    @Override
    public String allowed() {
      return "names of columns, with commas between";
    }
  }
}
