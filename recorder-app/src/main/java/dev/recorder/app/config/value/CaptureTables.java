package dev.recorder.app.config.value;

import dev.recorder.capture.TableName;
import dev.recorder.capture.TableNames;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A list of tables: {@code public.account, public."Order Line"}. */
public record CaptureTables(List<TableName> tables) {
  public CaptureTables {
    tables = List.copyOf(tables);
  }

  /**
   * Parses the list.
   *
   * @throws IllegalArgumentException if it is not a list of names
   */
  public static CaptureTables parse(String text) {
    return new CaptureTables(TableNames.list(text));
  }

  @Override
  public String toString() {
    return tables.stream().map(TableNames::written).collect(Collectors.joining(", "));
  }

  public record EachTableOnce() implements Rule<CaptureTables> {
    @Override
    public @Nullable String fault(CaptureTables value) {
      Set<TableName> seen = new HashSet<>();
      Optional<TableName> twice =
          value.tables().stream().filter(table -> !seen.add(table)).findFirst();
      return twice.map(table -> "has table " + table + " twice").orElse(null);
    }

    @Override
    public String allowed() {
      return "schema.table, with commas between, each part in double quotes if it has other than"
          + " small letters, digits and _";
    }
  }
}
