package dev.recorder.schema;

/**
 * The server and role of a session.
 *
 * @param damagesIndexes whether this version may create indexes that miss rows
 * @param mayCreate whether the role may create schemas in this database
 * @param readOnly whether the role's sessions cannot write
 */
public record ServerInfo(
    String version,
    boolean damagesIndexes,
    String role,
    boolean superuser,
    boolean mayCreate,
    boolean readOnly) {}
