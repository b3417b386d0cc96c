package dev.recorder.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The path of a value in a payload, such as {@code $.order.lines[0].amount}. */
record JsonPath(String text, List<String> steps) implements ValueSource {
  private static final Pattern STEP =
      Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_-]*)|\\[(\\d{1,6})]");

  /**
   * Parses a path.
   *
   * @throws IllegalArgumentException if the text is no such path
   */
  static JsonPath parse(String text) {
    List<String> steps = new ArrayList<>();
    Matcher step = STEP.matcher(text);
    int at = 1;
    while (text.startsWith("$") && at < text.length() && step.find(at) && step.start() == at) {
      steps.add(step.group());
      at = step.end();
    }
    if (steps.isEmpty() || at != text.length()) {
      throw new IllegalArgumentException(
          "'%s' is not a path like $.amount or $.lines[0].price".formatted(text));
    }
    return new JsonPath(text, List.copyOf(steps));
  }

  /** Returns the value at this path; a missing node if there is none. */
  @Override
  public JsonNode in(JsonNode payload) {
    JsonNode at = payload;
    for (String step : steps) {
      at =
          step.startsWith(".")
              ? at.path(step.substring(1))
              : at.path(Integer.parseInt(step.substring(1, step.length() - 1)));
    }
    return at == null ? MissingNode.getInstance() : at;
  }
}
