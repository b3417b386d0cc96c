package dev.recorder.table.parquet;

import dev.recorder.table.TableColumns;
import dev.recorder.table.TableRow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Reads rows one after another. */
final class RowReading extends RecordMaterializer<TableRow> {
  private static final int BASE = TableColumns.BASE_COLUMNS;

  private final MessageType schema;
  private final @Nullable Object[] values;
  private final GroupConverter root;

  /**
   * Creates a reader for the columns that a file has.
   *
   * @param within the columns that the file has
   */
  RowReading(TableColumns columns, MessageType within) {
    schema = within;
    List<Type> all = RowSchema.of(columns).getFields();
    values = new Object[all.size()];
    Converter[] converters = new Converter[within.getFieldCount()];
    for (int i = 0; i < converters.length; i++) {
      String name = within.getFieldName(i);
      int at = 0;
      while (!all.get(at).getName().equals(name)) {
        at++;
      }
      converters[i] = new Cell(at, within.getType(i).asPrimitiveType());
    }
    root =
        new GroupConverter() {
          @Override
          public Converter getConverter(int field) {
            return converters[field];
          }

          @Override
          public void start() {
            Arrays.fill(values, null);
          }

          @Override
          public void end() {}
        };
  }

  MessageType schema() {
    return schema;
  }

  @Override
  public TableRow getCurrentRecord() {
    int at = 0;
    return new TableRow(
        number(at++),
        number(at++),
        number(at++),
        bytes(at++),
        payload(at++),
        number(at),
        Arrays.asList(Arrays.copyOfRange(values, BASE, values.length)));
  }

  private long number(int at) {
    if (values[at] instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException("a row has no " + TableColumns.NONE.base().get(at).getKey());
  }

  private @Nullable ByteBuffer bytes(int at) {
    return values[at] instanceof ByteBuffer bytes ? bytes : null;
  }

  private ByteBuffer payload(int at) {
    ByteBuffer payload = bytes(at);
    if (payload == null) {
      throw new IllegalArgumentException("a row has no payload");
    }
    return payload;
  }

  @Override
  public GroupConverter getRootConverter() {
    return root;
  }

  /** Takes one value. */
  private final class Cell extends PrimitiveConverter {
    private final int at;
    private final int scale;
    private final boolean text;

    private Cell(int at, PrimitiveType type) {
      this.at = at;
      this.scale =
          type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal
              ? decimal.getScale()
              : -1;
      this.text =
          at >= BASE && type.getLogicalTypeAnnotation() instanceof StringLogicalTypeAnnotation;
    }

    @Override
    public void addLong(long value) {
      values[at] = scale < 0 ? (Object) value : BigDecimal.valueOf(value, scale);
    }

    @Override
    public void addInt(int value) {
      values[at] = scale < 0 ? (Object) value : BigDecimal.valueOf(value, scale);
    }

    @Override
    public void addDouble(double value) {
      values[at] = value;
    }

    @Override
    public void addBoolean(boolean value) {
      values[at] = value;
    }

    @Override
    public void addBinary(Binary value) {
      if (scale >= 0) {
        values[at] = new BigDecimal(new BigInteger(value.getBytes()), scale);
      } else {
        values[at] = text ? value.toStringUsingUTF8() : ByteBuffer.wrap(value.getBytes());
      }
    }
  }
}
