package dev.recorder.requests.document;

import dev.recorder.requests.EntityState;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A whole document from a query, as stored: like a {@link StoredDocument}, with metadata on its
 * snapshot, and on whether its entity is gone.
 *
 * @param json the result of the query; {@link #GONE} if the entity is gone
 * @param snapshot in the form of {@code pg_snapshot}: the document reflects all transactions that
 *     the snapshot sees
 */
public record RebuiltDocument(String json, DocumentStamp stamp, String snapshot, boolean isGone) {
  /** The document of an entity that is gone; objects are never deleted. */
  public static final String GONE = "{\"deleted\":true}";

  private static final String DELETED = "deleted";

  /** In characters; S3 has room for 2 KB of metadata in all. */
  private static final int LONGEST_SNAPSHOT = 250;

  static RebuiltDocument of(EntityState.EntityFound there, DocumentStamp stamp) {
    return new RebuiltDocument(there.json(), stamp, brief(there.snapshot()), false);
  }

  static RebuiltDocument of(EntityState.Gone gone, DocumentStamp stamp) {
    return new RebuiltDocument(GONE, stamp, brief(gone.snapshot()), true);
  }

  /**
   * Returns the snapshot, or, if it names too many transactions, one that sees only those before
   * the first of them.
   */
  private static String brief(String snapshot) {
    if (snapshot.length() <= LONGEST_SNAPSHOT) {
      return snapshot;
    }
    String first = snapshot.substring(0, snapshot.indexOf(':'));
    return first + ":" + first + ":";
  }

  byte[] body() {
    return StoredDocument.of(json, stamp).body();
  }

  Map<String, String> metadata() {
    Map<String, String> all = new LinkedHashMap<>(stamp.asMap());
    all.put("snapshot", snapshot);
    if (isGone) {
      all.put(DELETED, "true");
    }
    return all;
  }

  public static boolean saysGone(Map<String, String> metadata) {
    return "true".equals(metadata.get(DELETED));
  }
}
