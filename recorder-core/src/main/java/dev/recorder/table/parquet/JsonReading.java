package dev.recorder.table.parquet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Reads JSON objects that {@link JsonSink} has written. */
final class JsonReading extends RecordMaterializer<ObjectNode> {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final GroupConverter root;
  private ObjectNode last = NODES.objectNode();

  JsonReading(MessageType schema) {
    root = new ObjectConverter(schema, object -> last = object);
  }

  @Override
  public ObjectNode getCurrentRecord() {
    return last;
  }

  @Override
  public GroupConverter getRootConverter() {
    return root;
  }

  private static Converter converter(Type type, Consumer<JsonNode> sink) {
    if (type.isPrimitive()) {
      return new ScalarConverter(sink);
    }
    GroupType group = type.asGroupType();
    if (type.getLogicalTypeAnnotation() instanceof MapLogicalTypeAnnotation) {
      return new MapConverter(group, sink);
    }
    return type.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation
        ? new ListConverter(group, sink)
        : new ObjectConverter(group, sink::accept);
  }

  private static final class ObjectConverter extends GroupConverter {
    private final Converter[] fields;
    private final Consumer<ObjectNode> sink;
    private ObjectNode object = NODES.objectNode();

    private ObjectConverter(GroupType type, Consumer<ObjectNode> sink) {
      this.sink = sink;
      fields = new Converter[type.getFieldCount()];
      for (int i = 0; i < fields.length; i++) {
        String name = type.getFieldName(i);
        fields[i] = converter(type.getType(i), value -> object.set(name, value));
      }
    }

    @Override
    public Converter getConverter(int field) {
      return fields[field];
    }

    @Override
    public void start() {
      object = NODES.objectNode();
    }

    @Override
    public void end() {
      sink.accept(object);
    }
  }

  private static final class MapConverter extends GroupConverter {
    private final Converter pair;
    private final Consumer<JsonNode> sink;
    private ObjectNode map = NODES.objectNode();

    private MapConverter(GroupType type, Consumer<JsonNode> sink) {
      this.sink = sink;
      GroupType entry = type.getType(0).asGroupType();
      String key = entry.getFieldName(0);
      String value = entry.getFieldName(1);
      pair = new ObjectConverter(entry, each -> map.set(each.path(key).asText(), each.get(value)));
    }

    @Override
    public Converter getConverter(int field) {
      return pair;
    }

    @Override
    public void start() {
      map = NODES.objectNode();
    }

    @Override
    public void end() {
      sink.accept(map);
    }
  }

  private static final class ListConverter extends GroupConverter {
    private final Converter element;
    private final Consumer<JsonNode> sink;
    private ArrayNode list = NODES.arrayNode();

    private ListConverter(GroupType type, Consumer<JsonNode> sink) {
      this.sink = sink;
      GroupType entry = type.getType(0).asGroupType();
      element = new ObjectConverter(entry, each -> list.add(each.get(entry.getFieldName(0))));
    }

    @Override
    public Converter getConverter(int field) {
      return element;
    }

    @Override
    public void start() {
      list = NODES.arrayNode();
    }

    @Override
    public void end() {
      sink.accept(list);
    }
  }

  private static final class ScalarConverter extends PrimitiveConverter {
    private final Consumer<JsonNode> sink;

    private ScalarConverter(Consumer<JsonNode> sink) {
      this.sink = sink;
    }

    @Override
    public void addLong(long value) {
      sink.accept(NODES.numberNode(value));
    }

    @Override
    public void addInt(int value) {
      sink.accept(NODES.numberNode(value));
    }

    @Override
    public void addBoolean(boolean value) {
      sink.accept(NODES.booleanNode(value));
    }

    @Override
    public void addBinary(Binary value) {
      sink.accept(NODES.textNode(value.toStringUsingUTF8()));
    }
  }
}
