package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;

/**
 * The functions by which SQL of users runs with the rights of {@link #READERS} alone: {@code
 * read_document(statement)} for queries that build documents, and one per capture for what says
 * whose documents the rows of its table belong to.
 *
 * <p>Such SQL reaches code of others: views, casts of types, functions that call themselves
 * immutable. {@code SET ROLE} would not keep them from the caller's rights, since it can be taken
 * back. Within a function that runs as its owner the server refuses both. Who calls one of them
 * undoes whatever it has done: their owner could also drop it.
 */
public record QueryFunction(SchemaNames names) {
  /** Owns the functions, has no login, and may read what administrators let it read. */
  public static final String READERS = "recorder_reader";

  public static final String NAME = "read_document";

  /** What the name of a function for entities begins with. */
  public static final String OF_ENTITIES = "entity_";

  /** A regular expression of the functions for entities. */
  static final String ENTITIES = "^" + OF_ENTITIES + ".+_[0-9a-f]{10}$";

  /** With its schema: for documents. */
  public String name() {
    return names.table(NAME);
  }
}
