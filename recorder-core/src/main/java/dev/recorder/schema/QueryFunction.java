package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;

/**
 * The functions that run users' SQL with the rights of {@link #READERS} alone: {@code
 * read_document(statement)} for queries that build documents, and one per capture that finds the
 * documents to which the rows of its table belong.
 *
 * <p>Such SQL may run foreign code: views, casts, functions declared immutable. {@code SET ROLE}
 * would not protect the caller's rights, since foreign code can reset it; in a function that runs
 * as its owner the server refuses that. The caller of such a function rolls back everything it did,
 * because the owner could also drop the function.
 */
public record QueryFunction(SchemaNames names) {
  /** Owns the functions, cannot log in, and may read what administrators allow. */
  public static final String READERS = "recorder_reader";

  public static final String NAME = "read_document";

  /** Prefix of the functions for entities. */
  public static final String OF_ENTITIES = "entity_";

  /** A regular expression for the functions for entities. */
  static final String ENTITIES = "^" + OF_ENTITIES + ".+_[0-9a-f]{10}$";

  /** The qualified name of the function for documents. */
  public String name() {
    return names.table(NAME);
  }
}
