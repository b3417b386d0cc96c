package dev.recorder.table.parquet;

import dev.recorder.table.TableRow;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/** Writes rows. */
final class RowWriting {
  private final MessageType schema;

  RowWriting(MessageType schema) {
    this.schema = schema;
  }

  void write(RecordConsumer consumer, TableRow row) {
    int at = 0;
    put(consumer, at++, row.id());
    put(consumer, at++, row.xid());
    put(consumer, at++, row.timeMicros());
    put(consumer, at++, row.key());
    put(consumer, at++, row.payload());
    put(consumer, at++, row.slot());
    List<@Nullable Object> typed = row.typed();
    for (Object value : typed) {
      put(consumer, at++, value);
    }
  }

  private void put(RecordConsumer consumer, int at, @Nullable Object value) {
    if (value == null) {
      return;
    }
    PrimitiveType type = schema.getType(at).asPrimitiveType();
    consumer.startField(type.getName(), at);
    if (value instanceof Long number) {
      consumer.addLong(number);
    } else if (value instanceof Integer number) {
      consumer.addInteger(number);
    } else if (value instanceof Double number) {
      consumer.addDouble(number);
    } else if (value instanceof Boolean flag) {
      consumer.addBoolean(flag);
    } else if (value instanceof ByteBuffer text) {
      // "Reused" makes the library copy the bytes: the buffer may end with its slot.
      consumer.addBinary(Binary.fromReusedByteBuffer(text));
    } else if (value instanceof BigDecimal number) {
      decimal(consumer, type, number);
    } else {
      consumer.addBinary(Binary.fromString(value.toString()));
    }
    consumer.endField(type.getName(), at);
  }

  private static void decimal(RecordConsumer consumer, PrimitiveType type, BigDecimal number) {
    switch (type.getPrimitiveTypeName()) {
      case INT32 -> consumer.addInteger(number.unscaledValue().intValueExact());
      case INT64 -> consumer.addLong(number.unscaledValue().longValueExact());
      default -> {
        byte[] digits = number.unscaledValue().toByteArray();
        byte[] fixed = new byte[type.getTypeLength()];
        Arrays.fill(fixed, (byte) (number.signum() < 0 ? -1 : 0));
        System.arraycopy(digits, 0, fixed, fixed.length - digits.length, digits.length);
        consumer.addBinary(Binary.fromConstantByteArray(fixed));
      }
    }
  }
}
