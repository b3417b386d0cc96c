package dev.recorder.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of typed columns from payloads. A value that does not fit its column exactly
 * becomes null and is counted. Not thread-safe.
 */
final class TypedValues {
  /** Numbers with a longer text fit no column. */
  private static final int MOST_TEXT = 100;

  /** PostgreSQL's texts of numbers that are not finite, which Java reads, too. */
  private static final Set<String> SPECIAL = Set.of("NaN", "Infinity", "-Infinity");

  private static final Pattern PRINTED_IN_UTC =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?)\\+00");

  private static final long MICROS = 1_000_000;
  private static final int NANOS_OF_MICRO = 1_000;

  private static final ObjectReader READER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNumberLength(Integer.MAX_VALUE)
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNameLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .build()
          .reader()
          .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .with(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
          .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);

  private final TableColumns columns;
  private final Set<TableColumn> replaced;
  private long misfits;

  TypedValues(TableColumns columns) {
    this.columns = columns;
    this.replaced = replaced(columns.typed());
  }

  /** Returns the columns of a captured column's earlier types: most values do not fit them. */
  private static Set<TableColumn> replaced(List<TableColumn> columns) {
    Map<ValueSource, TableColumn> last = new HashMap<>();
    Set<TableColumn> replaced = new HashSet<>();
    for (TableColumn column : columns) {
      TableColumn before = last.put(column.source(), column);
      if (before != null && column.source() instanceof RowColumn) {
        replaced.add(before);
      }
    }
    return replaced;
  }

  /** Returns the number of values that did not fit. */
  long misfits() {
    return misfits;
  }

  List<@Nullable Object> of(ByteBuffer payload) {
    if (columns.typed().isEmpty()) {
      return List.of();
    }
    JsonNode json = parsed(payload);
    return of(json);
  }

  List<@Nullable Object> of(JsonNode json) {
    List<@Nullable Object> values = new ArrayList<>(columns.typed().size());
    for (TableColumn column : columns.typed()) {
      JsonNode value = column.source().in(json);
      Object fit = value.isMissingNode() || value.isNull() ? null : fit(value, column.type());
      if (fit == null && !value.isMissingNode() && !value.isNull() && !replaced.contains(column)) {
        misfits++;
      }
      values.add(fit);
    }
    return values;
  }

  /** Parses a payload; returns a missing node if it is nested too deep. */
  static JsonNode parsed(ByteBuffer payload) {
    try {
      return READER.readTree(
          payload.array(), payload.arrayOffset() + payload.position(), payload.remaining());
    } catch (IOException tooDeep) {
      return MissingNode.getInstance();
    }
  }

  private static @Nullable Object fit(JsonNode value, ColumnType type) {
    try {
      return switch (type.kind()) {
        case STRING -> plain(value);
        case BOOLEAN -> value.isBoolean() ? (Object) value.booleanValue() : null;
        case BIGINT -> number(value).longValueExact();
        case INT -> number(value).intValueExact();
        case DOUBLE -> real(value);
        case DECIMAL -> decimal(number(value), type);
        case TIMESTAMP -> micros(OffsetDateTime.parse(iso(text(value))).toInstant());
        case DATE -> Math.toIntExact(LocalDate.parse(text(value)).toEpochDay());
      };
    } catch (ArithmeticException | DateTimeException | IllegalArgumentException misfit) {
      return null;
    }
  }

  private static String text(JsonNode value) {
    if (!value.isTextual()) {
      throw new IllegalArgumentException("no text");
    }
    return value.textValue();
  }

  /** Returns a time as PostgreSQL prints it in UTC in the form of ISO 8601, others unchanged. */
  private static String iso(String time) {
    Matcher utc = PRINTED_IN_UTC.matcher(time);
    return utc.matches() ? utc.group(1) + "T" + utc.group(2) + "Z" : time;
  }

  /** Returns a text or, of other values, the JSON; numbers as the server writes them. */
  private static String plain(JsonNode value) {
    if (value.isBigDecimal() && isShort(value.decimalValue())) {
      return value.decimalValue().toPlainString();
    }
    return value.isValueNode() ? value.asText() : value.toString();
  }

  private static @Nullable Double real(JsonNode value) {
    if (value.isTextual() && SPECIAL.contains(value.textValue())) {
      return Double.valueOf(value.textValue());
    }
    double number = number(value).doubleValue();
    return Double.isInfinite(number) ? null : number;
  }

  private static BigDecimal number(JsonNode value) {
    String text = value.isNumber() || value.isTextual() ? value.asText() : "";
    if (text.isEmpty() || text.length() > MOST_TEXT) {
      throw new IllegalArgumentException("no number");
    }
    BigDecimal number = new BigDecimal(text);
    if (!isShort(number)) {
      throw new IllegalArgumentException("as many digits as 1e999999999 has are not written out");
    }
    return number;
  }

  private static boolean isShort(BigDecimal number) {
    return Math.abs((long) number.scale()) <= 4L * MOST_TEXT;
  }

  private static @Nullable BigDecimal decimal(BigDecimal number, ColumnType type) {
    BigDecimal exact = number.setScale(type.scale());
    return exact.precision() <= type.precision() ? exact : null;
  }

  private static long micros(Instant time) {
    if (time.getNano() % NANOS_OF_MICRO != 0) {
      throw new IllegalArgumentException("finer than a microsecond");
    }
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), MICROS), time.getNano() / NANOS_OF_MICRO);
  }
}
