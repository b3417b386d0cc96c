package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;

/**
 * The functions that run users' SQL with only the rights of {@link #READERS}: {@code
 * read_document(statement)} for queries that build documents, and one per capture that finds the
 * documents to which the rows of its table belong.
 *
 * <p>Users' SQL may run foreign code: views, casts, functions declared immutable. {@code SET ROLE}
 * would not protect the caller's rights, since foreign code can reset it. In a function that runs
 * as its owner, the server refuses that. The caller of such a function rolls back all its effects,
 * since its owner could even drop the function.
 */
public record QueryFunction(SchemaNames names) {
  /**
   * The role that owns the functions. It cannot log in, and may read only data that administrators
   * allow.
   */
  public static final String READERS = "recorder_reader";

  public static final String NAME = "read_document";

  /** The prefix of the functions that find entities. */
  public static final String OF_ENTITIES = "entity_";

  /** A regular expression for the functions that find entities. */
  static final String ENTITIES = "^" + OF_ENTITIES + ".+_[0-9a-f]{10}$";

  /** Returns the qualified name of the function for documents. */
  public String name() {
    return names.table(NAME);
  }
}
