package dev.recorder.requests.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * JSON Merge Patch, <a href="https://www.rfc-editor.org/rfc/rfc7396">RFC 7396</a>: members of the
 * patch replace those of the document, {@code null} removes a member, objects are merged
 * recursively, and any other value replaces the whole document.
 */
final class MergePatch {
  private MergePatch() {}

  /**
   * Applies {@code patch} to {@code document}; neither is changed. The result shares parts with
   * both.
   *
   * @param document null if there is none
   */
  static JsonNode apply(@Nullable JsonNode document, JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    if (document instanceof ObjectNode object) {
      result.setAll(object);
    }
    patch
        .properties()
        .forEach(
            member -> {
              String name = member.getKey();
              if (member.getValue().isNull()) {
                result.remove(name);
              } else {
                result.set(name, apply(result.get(name), member.getValue()));
              }
            });
    return result;
  }
}
