package dev.recorder.operate.orders;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a machine says to an order to be drained and such.
 *
 * @param error why nothing was done; empty if it was
 * @param active the recorders that it is active for just then
 * @param checks what it checked of the recorder it was asked about
 */
public record HostAnswer(String error, List<String> active, List<TermCheck> checks) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_SENTENCE = 600;

  public HostAnswer {
    active = List.copyOf(active);
    checks = List.copyOf(checks);
  }

  /**
   * Something that a term needs.
   *
   * @param what one word, such as {@code store}
   * @param trouble one sentence; empty if it is as it should be
   */
  public record TermCheck(String what, String trouble) {}

  /** Nothing was done. */
  public static HostAnswer failed(String why) {
    return new HostAnswer(why, List.of(), List.of());
  }

  /** For the row of the order. */
  public String json() {
    ObjectNode answer = JSON.createObjectNode().put("error", plain(error));
    active.forEach(answer.putArray("active")::add);
    ArrayNode all = answer.putArray("checks");
    checks.forEach(
        check -> all.addObject().put("what", check.what()).put("trouble", plain(check.trouble())));
    return answer.toString();
  }

  /** The server takes no such character, not even as JSON. */
  private static String plain(String sentence) {
    String text = sentence.replace('\0', ' ');
    return text.length() > LONGEST_SENTENCE ? text.substring(0, LONGEST_SENTENCE) + "…" : text;
  }

  /** The inverse of {@link #json()}; empty if it is no such answer. */
  public static Optional<HostAnswer> parse(String json) {
    try {
      JsonNode answer = JSON.readTree(json);
      if (!answer.path("error").isTextual()) {
        return Optional.empty();
      }
      List<String> active = new ArrayList<>();
      answer.path("active").forEach(name -> active.add(name.asText()));
      List<TermCheck> checks = new ArrayList<>();
      answer
          .path("checks")
          .forEach(
              check ->
                  checks.add(
                      new TermCheck(check.path("what").asText(), check.path("trouble").asText())));
      return Optional.of(new HostAnswer(answer.path("error").asText(), active, checks));
    } catch (JsonProcessingException notOurs) {
      return Optional.empty();
    }
  }
}
