package dev.recorder.schema;

/**
 * Server and role of a session.
 *
 * @param damagesIndexes whether this version makes indexes that miss rows
 * @param mayCreate whether the role may create schemas in this database
 * @param readOnly whether its sessions may not write
 */
public record ServerInfo(
    String version,
    boolean damagesIndexes,
    String role,
    boolean superuser,
    boolean mayCreate,
    boolean readOnly) {}
