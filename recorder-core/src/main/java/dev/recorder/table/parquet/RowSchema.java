package dev.recorder.table.parquet;

import static org.apache.parquet.schema.LogicalTypeAnnotation.dateType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.decimalType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BOOLEAN;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.DOUBLE;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT32;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;

import dev.recorder.table.ColumnType;
import dev.recorder.table.ColumnType.ColumnKind;
import dev.recorder.table.TableColumn;
import dev.recorder.table.TableColumns;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** The Parquet columns of a file of rows. Each has a field id, for other catalogues. */
final class RowSchema {
  private static final int INT_DIGITS = 9;
  private static final int LONG_DIGITS = 18;

  private RowSchema() {}

  static MessageType of(TableColumns columns) {
    List<Type> fields = new ArrayList<>();
    columns.base().forEach(base -> fields.add(field(base.getKey(), base.getValue(), fields)));
    for (TableColumn column : columns.typed()) {
      fields.add(field(column.name(), column.type(), fields));
    }
    return new MessageType("row", fields);
  }

  /** Returns the columns that a file has. Throws if a type differs. */
  static MessageType within(TableColumns columns, MessageType file) {
    List<Type> fields = new ArrayList<>();
    for (Type field : of(columns).getFields()) {
      if (file.containsField(field.getName())) {
        Type found = file.getType(field.getName());
        if (!found.isPrimitive()
            || found.asPrimitiveType().getPrimitiveTypeName()
                != field.asPrimitiveType().getPrimitiveTypeName()) {
          throw new IllegalArgumentException("column " + field.getName() + " is " + found);
        }
        fields.add(found);
      }
    }
    return new MessageType("row", fields);
  }

  private static Type field(String name, ColumnType type, List<Type> before) {
    PrimitiveTypeName primitive = primitive(type);
    Types.PrimitiveBuilder<?> field =
        Types.optional(primitive).as(logical(type)).id(before.size() + 1);
    return (Type)
        (primitive == FIXED_LEN_BYTE_ARRAY ? field.length(bytes(type.precision())) : field)
            .named(name);
  }

  private static PrimitiveTypeName primitive(ColumnType type) {
    return switch (type.kind()) {
      case BIGINT, TIMESTAMP -> INT64;
      case INT, DATE -> INT32;
      case DOUBLE -> DOUBLE;
      case BOOLEAN -> BOOLEAN;
      case STRING -> BINARY;
      case DECIMAL ->
          type.precision() <= INT_DIGITS
              ? INT32
              : type.precision() <= LONG_DIGITS ? INT64 : FIXED_LEN_BYTE_ARRAY;
    };
  }

  private static @Nullable LogicalTypeAnnotation logical(ColumnType type) {
    return switch (type.kind()) {
      case TIMESTAMP -> timestampType(true, LogicalTypeAnnotation.TimeUnit.MICROS);
      case DATE -> dateType();
      case STRING -> stringType();
      case DECIMAL -> decimalType(type.scale(), type.precision());
      case BIGINT, INT, DOUBLE, BOOLEAN -> null;
    };
  }

  /** Returns the number of bytes for a decimal with {@code precision} digits. */
  static int bytes(int precision) {
    return BigInteger.TEN.pow(precision).bitLength() / Byte.SIZE + 1;
  }

  static boolean isDecimal(ColumnType type) {
    return type.kind() == ColumnKind.DECIMAL;
  }
}
