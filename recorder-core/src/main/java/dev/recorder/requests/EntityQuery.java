package dev.recorder.requests;

import java.time.Duration;

/**
 * A query that builds an entity's whole document, of the rows as they are at one moment.
 *
 * <p>Its one row is the document: the value, if that is one column of type {@code json} or {@code
 * jsonb}, else an object with a member for each column. No row, or NULL, says that there is no such
 * entity.
 *
 * @param text with {@code :entity} where the id is bound
 * @param limit how long it may run
 * @param mostBytes how large a document may be
 */
public record EntityQuery(String text, Duration limit, int mostBytes) {
  public EntityQuery {
    String fault = QueryText.fault(text);
    if (!fault.isEmpty()) {
      throw new IllegalArgumentException("the query " + fault);
    }
  }
}
