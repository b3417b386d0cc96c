package dev.recorder.requests;

import java.time.Duration;

/**
 * A query that builds an entity's whole document from the rows of one moment.
 *
 * <p>It returns one row: a single column of type {@code json} or {@code jsonb} is the document;
 * otherwise the document is an object with a member for each column. No row, or NULL, means that
 * the entity is gone.
 *
 * @param text SQL, with {@code :entity} where the id is bound
 * @param limit longest run time
 * @param mostBytes greatest size of a document
 */
public record EntityQuery(String text, Duration limit, int mostBytes) {
  public EntityQuery {
    String fault = QueryText.fault(text);
    if (!fault.isEmpty()) {
      throw new IllegalArgumentException("the query " + fault);
    }
  }
}
