package dev.recorder.app.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.logging.NamedEvent;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.MessageFormatter;

/**
 * Writes a log line as one JSON object without line breaks: the fields of docs/logs.md, then those
 * of the event. Control characters, and characters that change the direction of text, are written
 * as {@code \}{@code uXXXX}. Thread-safe.
 */
final class JsonLine {
  /** The most characters of a field, since journald splits lines of more than 48 KiB. */
  static final int LONGEST = 30_000;

  /** The most characters of a message, whose text is also in a field or in the stack. */
  static final int LONGEST_SENTENCE = 4_000;

  private static final int LONGEST_STACK = 16_000;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  /**
   * The end of a pattern whose further lines are also in a field. The message leaves these lines
   * out.
   */
  private static final String ON_ITS_OWN = ":\n{}";

  private final String machine;

  /**
   * Creates a writer.
   *
   * @param machine the host's name, for lines of threads without it in their context
   */
  JsonLine(String machine) {
    this.machine = machine;
  }

  String of(ILoggingEvent event) {
    Map<String, Object> line = new LinkedHashMap<>();
    Map<String, String> context = event.getMDCPropertyMap();
    NamedEvent named = EventMarkers.markers(event.getMarkerList());
    line.put("time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
    line.put("level", event.getLevel().toString());
    line.put("machine", context.getOrDefault("machine", machine));
    if (context.containsKey("recorder")) {
      line.put("recorder", context.get("recorder"));
    }
    String epoch = context.getOrDefault("epoch", "0");
    if (!epoch.equals("0")) {
      line.put("epoch", Long.valueOf(epoch));
    }
    if (named != null) {
      line.put("event", named.getName());
    }
    line.put("message", cut(message(event, named), LONGEST_SENTENCE));
    line.put("logger", event.getLoggerName());
    line.put("thread", event.getThreadName());
    if (named != null) {
      fields(line, named, event.getArgumentArray());
    }
    failure(line, event.getThrowableProxy());
    return written(line);
  }

  private static String message(ILoggingEvent event, @Nullable NamedEvent named) {
    String pattern = String.valueOf(event.getMessage());
    if (named != null && pattern.endsWith(ON_ITS_OWN)) {
      String sentence = pattern.substring(0, pattern.length() - ON_ITS_OWN.length());
      return MessageFormatter.basicArrayFormat(sentence, event.getArgumentArray());
    }
    return String.valueOf(event.getFormattedMessage());
  }

  private static void fields(
      Map<String, Object> line, NamedEvent event, Object @Nullable [] arguments) {
    List<String> names = event.fields();
    for (int i = 0; arguments != null && i < Math.min(names.size(), arguments.length); i++) {
      Object value = arguments[i];
      if (value != null && !names.get(i).equals(NamedEvent.NO_FIELD)) {
        line.put(names.get(i), value(value));
      }
    }
  }

  private static Object value(Object argument) {
    boolean asItIs =
        argument instanceof Long || argument instanceof Integer || argument instanceof Boolean;
    return asItIs ? argument : cut(text(argument), LONGEST);
  }

  /**
   * Formats the argument without calling {@code toString()} here: if that fails, the line must not
   * be lost.
   */
  private static String text(Object argument) {
    return MessageFormatter.basicArrayFormat("{}", new Object[] {argument});
  }

  private static void failure(Map<String, Object> line, @Nullable IThrowableProxy failure) {
    if (failure != null) {
      String why = failure.getMessage();
      line.put(
          "error", cut(failure.getClassName() + (why == null ? "" : ": " + why), LONGEST_SENTENCE));
      line.put("stack", cut(ThrowableProxyUtil.asString(failure), LONGEST_STACK));
    }
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }

  private static String written(Map<String, Object> line) {
    try {
      return UNSEEN
          .matcher(JSON.writeValueAsString(line))
          .replaceAll(found -> escaped(found.group()));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("texts and numbers can be written", impossible);
    }
  }

  /**
   * Escapes a character. Such characters occur only inside quotes, and some take two UTF-16 units.
   */
  private static String escaped(String letter) {
    return letter
        .chars()
        .mapToObj(unit -> "\\\\u%04x".formatted(unit))
        .collect(Collectors.joining());
  }
}
