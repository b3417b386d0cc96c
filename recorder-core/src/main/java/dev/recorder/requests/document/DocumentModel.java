package dev.recorder.requests.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The expected document of an entity, computed from its complete requests: the create's payload,
 * with the updates' payloads merged into it, unit after unit, and within a unit in the order of
 * ids.
 *
 * <p>It serves to compare a bucket with a table.
 */
public final class DocumentModel {
  private final JsonNode document;

  /**
   * A complete update.
   *
   * @param fence of the unit that settled it
   * @param payload null if the column is NULL
   */
  public record Update(long fence, long id, @Nullable String payload) {
    private static final Comparator<Update> IN_ORDER =
        Comparator.<Update, Long>comparing(Update::fence, Long::compareUnsigned)
            .thenComparing(Update::id);
  }

  private DocumentModel(JsonNode document) {
    this.document = document;
  }

  /**
   * Returns the document after a create and all complete updates, in any order.
   *
   * @param create the create's payload; null if the column is NULL
   * @throws IllegalArgumentException if a payload could never have been completed
   */
  public static DocumentModel of(@Nullable String create, Collection<Update> updates) {
    JsonNode document = parse(Json.ofPayload(create));
    List<Update> inOrder = updates.stream().sorted(Update.IN_ORDER).toList();
    for (Update update : inOrder) {
      document = MergePatch.apply(document, parse(Json.ofPayload(update.payload())));
    }
    return new DocumentModel(document);
  }

  /** Whether {@code text} is the same document; the order of members does not matter. */
  public boolean isSaidBy(String text) {
    try {
      return Json.parse(text).equals(document);
    } catch (BadJsonException bad) {
      return false;
    }
  }

  public String text() {
    return Json.text(document);
  }

  private static JsonNode parse(String payload) {
    try {
      return Json.parse(payload);
    } catch (BadJsonException bad) {
      throw new IllegalArgumentException("not a payload that was completed", bad);
    }
  }
}
