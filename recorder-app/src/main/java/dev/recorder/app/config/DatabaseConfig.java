package dev.recorder.app.config;

import dev.recorder.postgres.sql.SchemaNames;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How to reach the database.
 *
 * @param endpoint host name or address, without the port
 * @param knownAs null: all hosts reach it by this endpoint and port
 * @param password null: the driver looks in {@code PGPASSFILE} or {@code ~/.pgpass}, or the server
 *     asks for none. {@code PGPASSWORD} is read by libpq, not by the Java driver.
 * @param sslrootcert null: the driver's default, {@code ~/.postgresql/root.crt}
 */
public record DatabaseConfig(
    String endpoint,
    int port,
    String database,
    String user,
    @Nullable String knownAs,
    @Nullable Secret password,
    SslMode sslmode,
    @Nullable Path sslrootcert,
    String schema,
    String handoffSchema) {

  static final String SECTION = "postgredb";

  /** In it the rights on all of the recorder's tables would be rights on everybody's. */
  static final String PUBLIC = "public";

  /** No address: one that was pasted holds a password, and names are shown. */
  private static final String NAME_FORM = "(?!.*://)[^\\x00-\\x1f]{1,63}";

  static final Setting<String> ENDPOINT =
      Setting.text(
              "endpoint",
              null,
              "[A-Za-z0-9_][A-Za-z0-9._-]{0,252}|\\[?[0-9A-Fa-f.]*(:[0-9A-Fa-f.]*){2,8}]?",
              "is not a host",
              "a host name or an IP address; the port has a key of its own")
          .otherwise("required")
          .takes("a host name or address")
          .means("Address of the writing server itself, not of a pooler. `host` is the same key.");
  static final Setting<Integer> PORT = Setting.number("port", 5432, 1, 65_535);
  static final Setting<String> DATABASE =
      Setting.text("database", null, NAME_FORM, "is not a database name", "a database's name")
          .otherwise("required")
          .takes("a name");
  static final Setting<String> USER =
      Setting.text("user", null, NAME_FORM, "is not a role name", "the one role of all machines")
          .otherwise("required")
          .takes("a name")
          .means("The one role of all hosts, not a superuser.");
  static final Setting<String> KNOWN_AS =
      Setting.text(
              "known_as", null, "[A-Za-z0-9._:-]{1,100}", "is not a name", "a name such as prod-db")
          .otherwise("`endpoint`:`port`")
          .takes("a name")
          .means(
              "The server's name on all hosts, if some reach it by another address,"
                  + " such as a tunnel. This name and `database` identify the database to"
                  + " which each recorder [belongs](runbook.md#another-database).");
  static final Setting<Secret> PASSWORD =
      new Setting<>("password", Secret.class, null, new NotEmpty())
          .takes("text")
          .means("Or `password_file`, or neither: then the driver looks in `~/.pgpass`.");
  static final Setting<Path> PASSWORD_FILE =
      Setting.path("password_file", "the path of a file whose first line is the password")
          .means(
              "Its first line is the password. It is read before each connection, so that a new"
                  + " password needs neither a restart nor a reload.");
  static final Setting<SslMode> SSLMODE =
      Setting.word("sslmode", SslMode.PREFER).means("`verify-full` with `sslrootcert` is best.");
  static final Setting<Path> SSLROOTCERT =
      Setting.path("sslrootcert", "the path of the certificate authority's PEM file")
          .means("The certificate authority's PEM file.");
  static final Setting<String> SCHEMA =
      new Setting<>("schema", String.class, "recorder", new OwnSchema())
          .takes("lower-case name, no reserved word, not `public`")
          .means(
              "Schema of Recorder's own [tables](tables.md); its locks' keys are derived from this"
                  + " name.");
  static final Setting<String> HANDOFF_SCHEMA =
      new Setting<>("handoff_schema", String.class, "handoff", new SchemaName("handoff"))
          .takes("lower-case name, no reserved word, not `schema`")
          .means("Schema of the tables that applications insert into. `public` gets a warning.");

  public DatabaseConfig {
    ENDPOINT.require(endpoint);
    PORT.require(port);
    DATABASE.require(database);
    USER.require(user);
    SCHEMA.require(schema);
    HANDOFF_SCHEMA.require(handoffSchema);
    if (schema.equals(handoffSchema)) {
      throw new IllegalArgumentException("schema and handoff_schema are both " + schema);
    }
  }

  private record SchemaName(String example) implements Rule<String> {
    @Override
    public @Nullable String fault(String value) {
      String fault = SchemaNames.fault(value);
      return fault.isEmpty() ? null : fault;
    }

    @Override
    public String allowed() {
      return "at most 63 of a-z, 0-9 and _, not a digit or pg_ first and no reserved word of SQL,"
          + " such as "
          + example;
    }
  }

  private record OwnSchema() implements Rule<String> {
    private static final SchemaName ANY = new SchemaName("recorder");

    @Override
    public @Nullable String fault(String value) {
      return value.equals(PUBLIC) ? "is everybody's schema" : ANY.fault(value);
    }

    @Override
    public String allowed() {
      return ANY.allowed();
    }
  }

  private record NotEmpty() implements Rule<Secret> {
    @Override
    public @Nullable String fault(Secret value) {
      return value.reveal().isEmpty() ? "is empty" : null;
    }

    @Override
    public String allowed() {
      return "the password, in quotes if it holds ; # or quotes, or leave the key out";
    }
  }
}
