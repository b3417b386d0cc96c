package dev.recorder.requests.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.util.Locale;

/**
 * Reads objects as trees, and their values as text. A tree of short values would take thirty times
 * the memory of their text. The number of members is limited, too.
 */
final class JsonOutline {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final int ESCAPE = 6;

  private static final long BYTES_OF_A_MEMBER = 200;
  private static final double PART_OF_HEAP = 0.05;

  /** The most members of a document that is merged in this process. */
  static final long MOST_MEMBERS =
      (long) (Runtime.getRuntime().maxMemory() * PART_OF_HEAP) / BYTES_OF_A_MEMBER;

  private final String text;
  private long members;

  JsonOutline(String text) throws BadJsonException {
    this.text = text;
    requireWholeCharacters(text);
  }

  /**
   * Rejects half surrogate pairs. Scans the raw text, since the parser would have to unpack each
   * string. A backslash outside a string fails in the parser anyway.
   */
  private static void requireWholeCharacters(String text) throws BadJsonException {
    for (int i = text.indexOf('\\'); i >= 0; i = text.indexOf('\\', i)) {
      int unit = unitAt(text, i);
      boolean pair =
          unit >= 0
              && Character.isHighSurrogate((char) unit)
              && Character.isLowSurrogate((char) Math.max(0, unitAt(text, i + ESCAPE)));
      if (unit >= 0 && Character.isSurrogate((char) unit) && !pair) {
        throw new BadJsonException(
            String.format("a string in it has half a character, a surrogate: \\u%04x", unit));
      }
      i += unit < 0 ? 2 : pair ? 2 * ESCAPE : ESCAPE;
    }
  }

  /** Returns the value of {@code \\uXXXX} at this place; -1 if there is none. */
  private static int unitAt(String text, int at) {
    if (!text.startsWith("\\u", at) || at + ESCAPE > text.length()) {
      return -1;
    }
    int unit = 0;
    for (int i = at + 2; i < at + ESCAPE; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0) {
        return -1;
      }
      unit = unit << 4 | digit;
    }
    return unit;
  }

  JsonNode read(JsonParser parser, JsonToken token) throws IOException, BadJsonException {
    return switch (token) {
      case START_OBJECT -> readObject(parser);
      case VALUE_NULL -> NODES.nullNode();
      default -> NODES.rawValueNode(new RawValue(textOf(parser, token)));
    };
  }

  private String textOf(JsonParser parser, JsonToken token) throws IOException, BadJsonException {
    int begin = (int) parser.currentTokenLocation().getCharOffset();
    pass(parser, token);
    if (token == JsonToken.START_ARRAY) {
      return text.substring(begin, (int) parser.currentLocation().getCharOffset());
    }
    return token == JsonToken.VALUE_STRING
        ? text.substring(begin, endOfString(begin))
        : parser.getText();
  }

  /**
   * Returns the end of a string without the parser, which would unpack the string and reports
   * faults later.
   */
  private int endOfString(int begin) {
    int end = begin + 1;
    while (end < text.length() && text.charAt(end) != '"') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end + 1, text.length());
  }

  private ObjectNode readObject(JsonParser parser) throws IOException, BadJsonException {
    ObjectNode object = NODES.objectNode();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      if (++members > MOST_MEMBERS) {
        throw new BadJsonException(
            String.format(
                Locale.ROOT,
                "it has more than %d members, for which there is no memory; start every host with a"
                    + " larger heap, such as JAVA_OPTS=-Xmx%dm",
                MOST_MEMBERS,
                Runtime.getRuntime().maxMemory() >> 19));
      }
      object.set(name, read(parser, parser.nextToken()));
    }
    return object;
  }

  /** Skips a value. */
  Void pass(JsonParser parser, JsonToken first) throws IOException, BadJsonException {
    int depth = 0;
    for (JsonToken token = first; ; token = parser.nextToken()) {
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      }
      if (depth == 0) {
        return null;
      }
    }
  }
}
