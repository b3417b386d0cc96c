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
 * A host's answer to an order, such as to be drained.
 *
 * @param error why the order was not carried out; empty if it was
 * @param active the recorders that the host was active for at that moment
 * @param checks the checks of the recorder in the order
 */
public record HostAnswer(String error, List<String> active, List<TermCheck> checks) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_SENTENCE = 600;

  public HostAnswer {
    active = List.copyOf(active);
    checks = List.copyOf(checks);
  }

  /**
   * A check of one of a term's needs.
   *
   * @param what the need in one word, such as {@code store}
   * @param trouble one sentence; empty if the check passed
   */
  public record TermCheck(String what, String trouble) {}

  /** Returns the answer to an order that was not carried out. */
  public static HostAnswer failed(String why) {
    return new HostAnswer(why, List.of(), List.of());
  }

  /** The answer as JSON, for the order's row. */
  public String json() {
    ObjectNode answer = JSON.createObjectNode().put("error", plain(error));
    active.forEach(answer.putArray("active")::add);
    ArrayNode all = answer.putArray("checks");
    checks.forEach(
        check -> all.addObject().put("what", check.what()).put("trouble", plain(check.trouble())));
    return answer.toString();
  }

  /** Replaces NUL, which the server does not accept even in JSON, and cuts a long sentence. */
  private static String plain(String sentence) {
    String text = sentence.replace('\0', ' ');
    return text.length() > LONGEST_SENTENCE ? text.substring(0, LONGEST_SENTENCE) + "…" : text;
  }

  /** The inverse of {@link #json()}; empty if the text is not an answer. */
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
