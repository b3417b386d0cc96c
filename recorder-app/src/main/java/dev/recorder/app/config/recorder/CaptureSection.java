package dev.recorder.app.config.recorder;

import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.value.ColumnNames;
import dev.recorder.app.config.value.Rule;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.RowExpression;
import dev.recorder.capture.TableName;
import dev.recorder.capture.TableNames;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The section of a captured table, for a log or for documents. */
public final class CaptureSection extends SectionValues {
  public static final String SECTION = "capture:";
  public static final SettingTable TABLE = new SettingTable(SECTION);

  static final Setting<String> ENTITY =
      TABLE.add(
          new Setting<>("entity", String.class, null, new Expression("an expression or query"))
              .takes("an SQL expression or query")
              .means(
                  "Required for a recorder of requests: the ids of the entities whose"
                      + " [documents](capture.md#documents) use the row. Besides `entity` the"
                      + " section may then have only `when`."));

  static final Setting<ColumnNames> COLUMNS =
      TABLE.add(
          new Setting<>("columns", ColumnNames.class, null, new ColumnNames.EachColumnOnce())
              .otherwise("all")
              .takes("names, with commas between")
              .means("Only these columns are captured. They must include the columns of the key."));
  static final Setting<ColumnNames> EXCEPT =
      TABLE.add(
          new Setting<>("except", ColumnNames.class, null, new ColumnNames.EachColumnOnce())
              .takes("names, with commas between")
              .means("All columns except these are captured. Not together with `columns`."));
  static final Setting<String> WHEN =
      TABLE.add(
          new Setting<>("when", String.class, null, new Expression("a condition"))
              .otherwise("all rows")
              .takes("an SQL condition")
              .means("Only rows for which the condition is true are captured."));
  static final Setting<String> KEY =
      TABLE.add(
          new Setting<>("key", String.class, null, new Expression("an expression"))
              .otherwise("table and key")
              .takes("an SQL expression")
              .means(
                  "The `key` of the row in the log. Columns in the expression must be NOT NULL."));
  static final Setting<OldImage> OLD =
      TABLE.add(
          Setting.word("old", OldImage.KEY)
              .means("Which old values are logged. A table without a key needs `all`."));

  /** Keys that have no meaning for documents. */
  static final List<Setting<?>> OF_LOGS = List.of(COLUMNS, EXCEPT, KEY, OLD);

  private final String recorder;
  private final TableName table;

  CaptureSection(String recorder, TableName table, Map<String, ?> values) {
    super(TABLE, values);
    this.recorder = recorder;
    this.table = table;
  }

  public TableName table() {
    return table;
  }

  public CaptureOptions options() {
    String entity = orNull(ENTITY);
    return entity != null
        ? CaptureOptions.ofDocuments(entity, orNull(WHEN))
        : new CaptureOptions(
            new ColumnChoice(names(orNull(COLUMNS)), names(orNull(EXCEPT))),
            orNull(WHEN),
            orNull(KEY),
            get(OLD));
  }

  private static List<String> names(@Nullable ColumnNames names) {
    return names == null ? List.of() : names.columns();
  }

  @Override
  public String section() {
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
