package dev.recorder.requests.document;

import dev.recorder.requests.EntityState;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A whole document that a query has built, as it lies in the store: like a {@link StoredDocument},
 * and its metadata say of which moment it is, and whether its entity is gone.
 *
 * @param json what the query said; of an entity that is gone {@link #GONE}
 * @param snapshot as {@code pg_snapshot}: the document has what this one sees
 */
public record RebuiltDocument(String json, DocumentStamp stamp, String snapshot, boolean isGone) {
  /** The text of an entity that is gone: nothing is ever deleted. */
  public static final String GONE = "{\"deleted\":true}";

  private static final String DELETED = "deleted";

  /** In characters; S3 has room for 2 KB in all. */
  private static final int LONGEST_SNAPSHOT = 250;

  static RebuiltDocument of(EntityState.There there, DocumentStamp stamp) {
    return new RebuiltDocument(there.json(), stamp, brief(there.snapshot()), false);
  }

  static RebuiltDocument of(EntityState.Gone gone, DocumentStamp stamp) {
    return new RebuiltDocument(GONE, stamp, brief(gone.snapshot()), true);
  }

  /** One that sees less, where it names too many transactions: those before the first of them. */
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

  /** Whether an object's metadata say that its entity is gone. */
  public static boolean saysGone(Map<String, String> metadata) {
    return "true".equals(metadata.get(DELETED));
  }
}
