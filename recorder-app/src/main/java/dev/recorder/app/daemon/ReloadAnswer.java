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
 * What a daemon says of a file that it was asked to read again.
 *
 * @param file the file that it reads
 * @param applied whether what the file says is in effect now, except what needs a restart
 * @param errors why nothing of the file can be used, a line each; empty if it can
 * @param needsRestart what the file says and this process does not do, a sentence each
 * @param recorders what it means for each of them
 */
public record ReloadAnswer(
    String file,
    boolean applied,
    List<String> errors,
    List<String> needsRestart,
    List<RecorderChange> recorders) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Most sentences of each sort; the log has them all. */
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

  /** For the row of the order. */
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
    // The server takes no such character, not even as JSON.
    sentences.forEach(sentence -> array.add(sentence.replace('\0', ' ')));
  }

  /**
   * The inverse of {@link #json()}; what only a newer version says is left out. Empty if it is no
   * answer.
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
