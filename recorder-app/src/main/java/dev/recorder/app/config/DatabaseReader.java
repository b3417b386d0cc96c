package dev.recorder.app.config;

import static dev.recorder.app.config.DatabaseConfig.DATABASE;
import static dev.recorder.app.config.DatabaseConfig.ENDPOINT;
import static dev.recorder.app.config.DatabaseConfig.HANDOFF_SCHEMA;
import static dev.recorder.app.config.DatabaseConfig.KNOWN_AS;
import static dev.recorder.app.config.DatabaseConfig.PORT;
import static dev.recorder.app.config.DatabaseConfig.SCHEMA;
import static dev.recorder.app.config.DatabaseConfig.SSLMODE;
import static dev.recorder.app.config.DatabaseConfig.SSLROOTCERT;
import static dev.recorder.app.config.DatabaseConfig.USER;
import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** {@code [postgredb]}. */
final class DatabaseReader {
  private DatabaseReader() {}

  static Buildable<DatabaseConfig> read(SectionReader reader, Path configFile) {
    String endpoint = reader.required(ENDPOINT);
    int port = reader.value(PORT);
    String database = reader.required(DATABASE);
    String user = reader.required(USER);
    String knownAs = reader.optional(KNOWN_AS);
    Secret password = PasswordReader.read(reader, configFile);
    SslMode sslmode = reader.value(SSLMODE);
    Path rootCert = rootCert(reader, configFile);
    String schema = reader.value(SCHEMA);
    String handoff = reader.value(HANDOFF_SCHEMA);
    reader.reportUnknownKeys();
    if (schema.equals(handoff)) {
      reader.error(
          reader.has(HANDOFF_SCHEMA) ? HANDOFF_SCHEMA : SCHEMA,
          "schema and handoff_schema are both " + schema,
          "write two different names");
    }
    if (handoff.equals(DatabaseConfig.PUBLIC)) {
      reader.warning(
          HANDOFF_SCHEMA,
          "handoff_schema = public is everybody's schema: a table of another application may have a"
              + " recorder's name, and where a role may create in it, it may create that table"
              + " first",
          "write a schema of the recorder's own, such as " + reader.byDefault(HANDOFF_SCHEMA));
    }
    return () ->
        new DatabaseConfig(
            requireNonNull(endpoint),
            port,
            requireNonNull(database),
            requireNonNull(user),
            knownAs,
            password,
            sslmode,
            rootCert,
            schema,
            handoff);
  }

  private static @Nullable Path rootCert(SectionReader reader, Path configFile) {
    Path written = reader.optional(SSLROOTCERT);
    if (written == null) {
      return null;
    }
    Path file = configFile.resolveSibling(written);
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      reader.error(
          SSLROOTCERT,
          "sslrootcert: no readable file " + file,
          "write " + SSLROOTCERT.rule().allowed());
    }
    return file;
  }
}
