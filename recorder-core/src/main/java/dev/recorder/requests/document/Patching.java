package dev.recorder.requests.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.requests.Request;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies updates to one document in order, each entirely or not at all: an update that is not
 * JSON, or that makes the document too large, fails alone. Measuring a large document takes long,
 * so updates without enough time are left to the next unit.
 */
final class Patching {
  private final int limitBytes;
  private final Map<Long, String> failed = new TreeMap<>();
  private @Nullable JsonNode document;
  private AppliedIds applied = AppliedIds.NONE;

  /**
   * An upper bound of the document's size. The size is measured again only if the bound exceeds the
   * limit.
   */
  private long atMostBytes;

  /**
   * The result of a merge. Updates in neither collection had no room in the metadata, or no time.
   *
   * @param text the document; unchanged if no update was applied
   */
  record Patched(String text, AppliedIds applied, Map<Long, String> failed) {}

  private Patching(@Nullable String text, int limitBytes) throws BadJsonException {
    this.limitBytes = limitBytes;
    this.document = text == null ? null : Json.outline(text);
    this.atMostBytes = text == null ? 0 : bytes(text);
  }

  /**
   * Applies {@code updates}.
   *
   * @param text the document; null if there is none
   * @param limitBytes largest size; a document that is already larger may only become smaller
   * @param isEnough called after each update; true ends the merge
   * @throws BadJsonException if the document cannot be read
   */
  static Patched of(
      @Nullable String text, List<Request> updates, int limitBytes, BooleanSupplier isEnough)
      throws BadJsonException {
    Patching patching = new Patching(text, limitBytes);
    for (Request update : updates) {
      AppliedIds named = patching.applied.with(update.id());
      if (!named.fit()) {
        break;
      }
      patching.apply(update, named);
      if (isEnough.getAsBoolean()) {
        break;
      }
    }
    return patching.result();
  }

  private Patched result() {
    JsonNode patched = document;
    String text = patched == null ? Json.EMPTY_OBJECT : Json.text(patched, (int) atMostBytes);
    return new Patched(text, applied, Map.copyOf(failed));
  }

  private void apply(Request update, AppliedIds named) {
    String payload = Json.ofPayload(update.payload());
    JsonNode patched;
    try {
      patched = MergePatch.apply(document, Json.outline(payload));
    } catch (BadJsonException bad) {
      failed.put(update.id(), "the payload cannot be applied: " + bad.getMessage());
      return;
    }
    // A patch adds at most the length of its own text, since the document may spell it shorter.
    long bytes = atMostBytes + bytes(payload);
    if (bytes > limitBytes) {
      bytes = bytes(Json.text(patched, (int) bytes));
      if (bytes > limitBytes && bytes > bytesNow()) {
        failed.put(update.id(), tooLarge(bytes, limitBytes));
        return;
      }
    }
    document = patched;
    applied = named;
    atMostBytes = bytes;
  }

  private long bytesNow() {
    JsonNode now = document;
    return now == null ? 0 : bytes(Json.text(now));
  }

  /** Counts the bytes in UTF-8; encoding would take as much memory again. */
  static long bytes(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return bytes;
  }

  static String tooLarge(long bytes, int limitBytes) {
    return "the document would have " + bytes + " bytes, the limit is " + limitBytes;
  }
}
