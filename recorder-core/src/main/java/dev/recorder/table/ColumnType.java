package dev.recorder.table;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a column.
 *
 * @param precision number of digits of a decimal; else 0
 * @param scale number of decimal places of a decimal; else 0
 */
public record ColumnType(ColumnKind kind, int precision, int scale) {
  static final ColumnType BIGINT = new ColumnType(ColumnKind.BIGINT, 0, 0);
  static final ColumnType STRING = new ColumnType(ColumnKind.STRING, 0, 0);
  static final ColumnType TIMESTAMP = new ColumnType(ColumnKind.TIMESTAMP, 0, 0);
  static final ColumnType DATE = new ColumnType(ColumnKind.DATE, 0, 0);

  private static final int MOST_DIGITS = 38;
  private static final Pattern DECIMAL =
      Pattern.compile("decimal\\((\\d{1,2})\\s*,\\s*(\\d{1,2})\\)");

  /** PostgreSQL's {@code numeric} with a scale. */
  private static final Pattern NUMERIC = Pattern.compile("numeric\\((\\d{1,4}),(-?\\d{1,4})\\)");

  private static final Pattern TIMESTAMPTZ =
      Pattern.compile("timestamp(\\(\\d\\))? with time zone");

  /** The kinds of types, with the Java class of their values. */
  public enum ColumnKind {
    /** A {@link Long}. */
    BIGINT("bigint", "long"),
    /** An {@link Integer}. */
    INT("int", "integer"),
    /** A {@link Double}. */
    DOUBLE("double", "double"),
    /** A {@link Boolean}. */
    BOOLEAN("boolean", "boolean"),
    /** A {@link String}. */
    STRING("string", "string"),
    /** A {@link java.math.BigDecimal} of the type's scale. */
    DECIMAL("decimal", "decimal"),
    /** A {@link Long}: microseconds since 1970, UTC. */
    TIMESTAMP("timestamp", "timestamp"),
    /** An {@link Integer}: days since 1970. */
    DATE("date", "date");

    private final String word;
    private final String delta;

    ColumnKind(String word, String delta) {
      this.word = word;
      this.delta = delta;
    }
  }

  /**
   * Reads {@code bigint}, {@code decimal(18,2)} and so on.
   *
   * @throws IllegalArgumentException if the text is no type
   */
  static ColumnType parse(String text) {
    String type = text.strip().toLowerCase(Locale.ROOT);
    Matcher decimal = DECIMAL.matcher(type);
    if (decimal.matches()) {
      int precision = Integer.parseInt(decimal.group(1));
      int scale = Integer.parseInt(decimal.group(2));
      if (precision < 1 || precision > MOST_DIGITS || scale > precision) {
        throw new IllegalArgumentException(
            type + " has not 1 to 38 digits, of which the second number are behind the point");
      }
      return new ColumnType(ColumnKind.DECIMAL, precision, scale);
    }
    for (ColumnKind kind : ColumnKind.values()) {
      boolean named = kind.word.equals(type) || kind.delta.equals(type);
      if (named && kind != ColumnKind.DECIMAL) {
        return new ColumnType(kind, 0, 0);
      }
    }
    throw new IllegalArgumentException(
        "'%s' is not one of bigint, int, double, boolean, string, timestamp, date, decimal(p,s)"
            .formatted(text.strip()));
  }

  /**
   * Returns the type for the values of a PostgreSQL type: {@code string}, if no other type holds
   * all of them exactly or Delta's reader version 1 lacks it.
   *
   * @param type as {@code format_type} prints it
   */
  static ColumnType ofPostgres(String type) {
    Matcher numeric = NUMERIC.matcher(type);
    if (numeric.matches()) {
      int precision = Integer.parseInt(numeric.group(1));
      int scale = Integer.parseInt(numeric.group(2));
      return precision <= MOST_DIGITS && scale >= 0 && scale <= precision
          ? new ColumnType(ColumnKind.DECIMAL, precision, scale)
          : STRING;
    }
    return TIMESTAMPTZ.matcher(type).matches()
        ? TIMESTAMP
        : switch (type) {
          case "bigint" -> BIGINT;
          case "integer", "smallint" -> new ColumnType(ColumnKind.INT, 0, 0);
          case "double precision", "real" -> new ColumnType(ColumnKind.DOUBLE, 0, 0);
          case "boolean" -> new ColumnType(ColumnKind.BOOLEAN, 0, 0);
          case "date" -> DATE;
          default -> STRING;
        };
  }

  /** Returns the type's name in Delta's schema. */
  String inSchema() {
    return kind == ColumnKind.DECIMAL ? toString() : kind.delta;
  }

  @Override
  public String toString() {
    return kind == ColumnKind.DECIMAL ? "decimal(%d,%d)".formatted(precision, scale) : kind.word;
  }
}
