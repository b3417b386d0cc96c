package dev.recorder.app.config;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.RowExpression;
import dev.recorder.capture.TableName;
import dev.recorder.capture.TableNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table whose changes a log has, or ask for documents, and how.
 *
 * @param options of its section; the usual ones without it
 */
public record CaptureSection(TableName table, CaptureOptions options) {
  static final String SECTION = "capture:";

  static final Setting<ColumnNames> COLUMNS =
      new Setting<>("columns", ColumnNames.class, null, new ColumnNames.EachColumnOnce())
          .otherwise("all")
          .takes("names, with commas between")
          .means("Only these columns. The key's must be among them.");
  static final Setting<ColumnNames> EXCEPT =
      new Setting<>("except", ColumnNames.class, null, new ColumnNames.EachColumnOnce())
          .takes("names, with commas between")
          .means("All columns but these; not together with `columns`.");
  static final Setting<String> WHEN =
      new Setting<>("when", String.class, null, new Expression("a condition"))
          .otherwise("all rows")
          .takes("an SQL condition")
          .means("Only rows for which it is true.");
  static final Setting<String> KEY =
      new Setting<>("key", String.class, null, new Expression("an expression"))
          .otherwise("table and key")
          .takes("an SQL expression")
          .means("The `key` of the row in the log. The columns that it names must be NOT NULL.");
  static final Setting<OldImageWord> OLD =
      Setting.word("old", OldImageWord.KEY)
          .means("Which old values are logged. A table without a key needs `all`.");

  static final Setting<String> ENTITY =
      new Setting<>("entity", String.class, null, new Expression("an expression or query"))
          .takes("an SQL expression or query")
          .means(
              "Required with a recorder of requests: whose [documents](capture.md#documents) a row"
                  + " belongs to. Of the other keys only `when` has an effect then.");

  /** What means nothing for documents. */
  static final List<Setting<?>> OF_LOGS = List.of(COLUMNS, EXCEPT, KEY, OLD);

  /** What stands between brackets. */
  String name(String recorder) {
    return name(recorder, table);
  }

  static String name(String recorder, TableName table) {
    return SECTION + recorder + "/" + TableNames.written(table);
  }

  private record Expression(String what) implements Rule<String> {
    @Override
    public @Nullable String fault(String value) {
      String fault = RowExpression.fault(value);
      return fault.isEmpty() ? null : fault;
    }

    @Override
    public String allowed() {
      return what + " of SQL over the row's columns";
    }
  }
}
