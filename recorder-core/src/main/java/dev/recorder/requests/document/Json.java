package dev.recorder.requests.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * JSON as trees that preserve the text: numbers keep their spelling, whatever their size. JSON that
 * could not be written back is rejected.
 *
 * <p>If two members have the same name, the last counts, as in PostgreSQL's {@code jsonb}.
 */
final class Json {
  /** The deepest nesting of arrays and objects. */
  static final int DEEPEST = 1000;

  static final String EMPTY_OBJECT = "{}";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Has no limits of length, since the size of a payload is limited elsewhere. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(DEEPEST + 1).build())
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private static final ObjectMapper MAPPER = new ObjectMapper(FACTORY);

  private Json() {}

  /** Returns the payload; NULL counts as an empty object. */
  static String ofPayload(@Nullable String payload) {
    return payload == null ? EMPTY_OBJECT : payload;
  }

  static JsonNode parse(String text) throws BadJsonException {
    return read(text, Json::read);
  }

  /** Checks the whole text without building a tree. */
  static void check(String text) throws BadJsonException {
    JsonOutline outline = new JsonOutline(text);
    read(text, outline::pass);
  }

  /**
   * As {@link #parse}, for a merge, which descends only into objects: other values stay text of any
   * size.
   */
  static JsonNode outline(String text) throws BadJsonException {
    JsonOutline outline = new JsonOutline(text);
    return read(text, outline::read);
  }

  /** Reads one value to its end; the value's first token has been read. */
  @FunctionalInterface
  private interface ValueReading<T> {
    T read(JsonParser parser, JsonToken first) throws IOException, BadJsonException;
  }

  private static <T> T read(String text, ValueReading<T> reading) throws BadJsonException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new BadJsonException("there is nothing in it");
      }
      T whole = reading.read(parser, first);
      if (parser.nextToken() != null) {
        throw new BadJsonException("there is more behind its end");
      }
      return whole;
    } catch (JsonProcessingException malformed) {
      throw new BadJsonException(malformed.getOriginalMessage());
    } catch (IOException impossible) {
      throw new UncheckedIOException("reading a string", impossible);
    }
  }

  static String text(JsonNode tree) {
    return text(tree, 0);
  }

  /** Returns the text of a tree; avoids repeated copying up to {@code expectedLength}. */
  static String text(JsonNode tree, int expectedLength) {
    try {
      StringWriter text = new StringWriter(expectedLength);
      MAPPER.writeValue(text, tree);
      return text.toString();
    } catch (IOException impossible) {
      throw new UncheckedIOException("writing a string", impossible);
    }
  }

  private static JsonNode read(JsonParser parser, JsonToken token)
      throws IOException, BadJsonException {
    return switch (token) {
      case START_OBJECT -> readObject(parser);
      case START_ARRAY -> readArray(parser);
      case VALUE_STRING -> NODES.textNode(writable(parser.getText()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          NODES.rawValueNode(new RawValue(parser.getText()));
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      default -> throw new BadJsonException("unexpected " + token);
    };
  }

  private static ObjectNode readObject(JsonParser parser) throws IOException, BadJsonException {
    ObjectNode object = NODES.objectNode();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      object.set(writable(name), read(parser, parser.nextToken()));
    }
    return object;
  }

  private static ArrayNode readArray(JsonParser parser) throws IOException, BadJsonException {
    ArrayNode array = NODES.arrayNode();
    for (JsonToken next = parser.nextToken();
        next != JsonToken.END_ARRAY;
        next = parser.nextToken()) {
      array.add(read(parser, next));
    }
    return array;
  }

  /**
   * Returns the text, unless JSON escapes spell half a surrogate pair, which UTF-8 cannot
   * represent.
   */
  private static String writable(String text) throws BadJsonException {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw new BadJsonException(
            String.format("a string in it has half a character, \\u%04x", (int) c));
      }
    }
    return text;
  }
}
