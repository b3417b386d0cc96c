package dev.recorder.table.parquet;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.Type;

/** Writes JSON objects. Members without a column are left out. */
final class JsonSink {
  private JsonSink() {}

  static void write(RecordConsumer consumer, GroupType type, JsonNode object) {
    for (int i = 0; i < type.getFieldCount(); i++) {
      Type field = type.getType(i);
      JsonNode value = object.path(field.getName());
      if (!value.isMissingNode() && !value.isNull()) {
        consumer.startField(field.getName(), i);
        value(consumer, field, value);
        consumer.endField(field.getName(), i);
      }
    }
  }

  private static void value(RecordConsumer consumer, Type type, JsonNode value) {
    if (!type.isPrimitive()) {
      consumer.startGroup();
      if (type.getLogicalTypeAnnotation() instanceof MapLogicalTypeAnnotation) {
        pairs(consumer, type.asGroupType(), value);
      } else if (type.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation) {
        elements(consumer, type.asGroupType(), value);
      } else {
        write(consumer, type.asGroupType(), value);
      }
      consumer.endGroup();
      return;
    }
    switch (type.asPrimitiveType().getPrimitiveTypeName()) {
      case INT32 -> consumer.addInteger(value.asInt());
      case INT64 -> consumer.addLong(value.asLong());
      case BOOLEAN -> consumer.addBoolean(value.asBoolean());
      default -> consumer.addBinary(Binary.fromString(value.asText()));
    }
  }

  private static void pairs(RecordConsumer consumer, GroupType type, JsonNode map) {
    if (map.isEmpty()) {
      return;
    }
    GroupType pair = type.getType(0).asGroupType();
    consumer.startField(pair.getName(), 0);
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      consumer.startGroup();
      consumer.startField(pair.getFieldName(0), 0);
      consumer.addBinary(Binary.fromString(entry.getKey()));
      consumer.endField(pair.getFieldName(0), 0);
      if (!entry.getValue().isNull()) {
        consumer.startField(pair.getFieldName(1), 1);
        value(consumer, pair.getType(1), entry.getValue());
        consumer.endField(pair.getFieldName(1), 1);
      }
      consumer.endGroup();
    }
    consumer.endField(pair.getName(), 0);
  }

  private static void elements(RecordConsumer consumer, GroupType type, JsonNode list) {
    if (list.isEmpty()) {
      return;
    }
    GroupType element = type.getType(0).asGroupType();
    consumer.startField(element.getName(), 0);
    for (JsonNode each : list) {
      consumer.startGroup();
      consumer.startField(element.getFieldName(0), 0);
      value(consumer, element.getType(0), each);
      consumer.endField(element.getFieldName(0), 0);
      consumer.endGroup();
    }
    consumer.endField(element.getName(), 0);
  }
}
