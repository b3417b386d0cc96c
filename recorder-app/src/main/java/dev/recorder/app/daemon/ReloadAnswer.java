package dev.recorder.app.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.app.config.RecorderChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A daemon's answer to an order to reload its file.
 *
 * @param file the file that the daemon reads
 * @param applied whether the file is now in effect, except for changes that need a restart
 * @param errors the errors for which the daemon refused the file, a line each; empty if it accepted
 *     it
 * @param needsRestart the changes that take effect only after a restart, a sentence each
 * @param recorders the effect on each recorder
 */
public record ReloadAnswer(
    String file,
    boolean applied,
    List<String> errors,
    List<String> needsRestart,
    List<RecorderChange> recorders) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The most sentences of each kind. The log file has all of them. */
  static final int MOST_SENTENCES = 200;

  static final int LONGEST_SENTENCE = 400;

  public ReloadAnswer {
    errors = cut(errors);
    needsRestart = cut(needsRestart);
    recorders = List.copyOf(recorders);
  }

  private static List<String> cut(List<String> sentences) {
    List<String> kept = new ArrayList<>();
    for (String sentence : sentences) {
      if (kept.size() == MOST_SENTENCES) {
        kept.add("and %d more".formatted(sentences.size() - MOST_SENTENCES));
        break;
      }
      kept.add(
          sentence.length() > LONGEST_SENTENCE
              ? sentence.substring(0, LONGEST_SENTENCE) + "…"
              : sentence);
    }
    return List.copyOf(kept);
  }

  /** Returns the answer as JSON, as it is in the order's row. */
  String json() {
    ObjectNode answer = JSON.createObjectNode().put("file", file).put("applied", applied);
    add(answer.putArray("errors"), errors);
    add(answer.putArray("needs_restart"), needsRestart);
    ArrayNode all = answer.putArray("recorders");
    for (RecorderChange change : recorders) {
      all.addObject().put("recorder", change.recorder()).put("change", change.kind().word());
    }
    return answer.toString();
  }

  private static void add(ArrayNode array, List<String> sentences) {
    // PostgreSQL does not accept NUL in a text, not even in JSON.
    sentences.forEach(sentence -> array.add(sentence.replace('\0', ' ')));
  }

  /**
   * Parses the output of {@link #json()}, and ignores members that newer versions added. Empty if
   * the text is not an answer.
   */
  public static Optional<ReloadAnswer> parse(String json) {
    try {
      JsonNode answer = JSON.readTree(json);
      if (!answer.path("file").isTextual() || !answer.path("applied").isBoolean()) {
        return Optional.empty();
      }
      List<RecorderChange> changes = new ArrayList<>();
      for (JsonNode each : answer.path("recorders")) {
        RecorderChange.ChangeKind.named(each.path("change").asText())
            .ifPresent(
                kind -> changes.add(new RecorderChange(each.path("recorder").asText(), kind)));
      }
      return Optional.of(
          new ReloadAnswer(
              answer.path("file").textValue(),
              answer.path("applied").booleanValue(),
              sentences(answer.path("errors")),
              sentences(answer.path("needs_restart")),
              changes));
    } catch (JsonProcessingException notOurs) {
      return Optional.empty();
    }
  }

  private static List<String> sentences(JsonNode array) {
    List<String> sentences = new ArrayList<>();
    array.forEach(sentence -> sentences.add(sentence.asText()));
    return sentences;
  }
}
