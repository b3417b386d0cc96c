package dev.recorder.app.config.connection;

import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.value.Rule;
import dev.recorder.app.config.value.Secret;
import dev.recorder.app.config.value.SslMode;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.sql.SchemaNames;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The section {@code [postgredb]}. */
public final class DatabaseConfig extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("postgredb", "postgresdb");

  /**
   * Refused as a schema: rights on all of its tables would include tables of other applications.
   */
  static final String PUBLIC = "public";

  /** Excludes URLs: a pasted URL may hold a password, and names are printed. */
  private static final String NAME_FORM = "(?!.*://)[^\\x00-\\x1f]{1,63}";

  public static final Setting<String> ENDPOINT =
      TABLE.alsoCalled(
          "host",
          TABLE.add(
              Setting.text(
                      "endpoint",
                      null,
                      "[A-Za-z0-9_][A-Za-z0-9._-]{0,252}|\\[?[0-9A-Fa-f.]*(:[0-9A-Fa-f.]*){2,8}]?",
                      "is not a host",
                      "a host name or an IP address; the port has a key of its own")
                  .required()
                  .takes("a host name or address")
                  .means(
                      "Address of the server that takes writes, not of a pooler. `host` is another"
                          + " name of this key.")));
  public static final Setting<Integer> PORT =
      TABLE.add(Setting.number("port", DatabaseSettings.PORT, 1, 65_535));
  public static final Setting<String> DATABASE =
      TABLE.add(
          Setting.text("database", null, NAME_FORM, "is not a database name", "a database's name")
              .required()
              .takes("a name"));
  public static final Setting<String> USER =
      TABLE.add(
          Setting.text("user", null, NAME_FORM, "is not a role name", "the one role of all hosts")
              .required()
              .takes("a name")
              .means("The one role of all hosts, not a superuser."));
  public static final Setting<String> KNOWN_AS =
      TABLE.add(
          Setting.text(
                  "known_as",
                  null,
                  "[A-Za-z0-9._:-]{1,100}",
                  "is not a name",
                  "a name such as prod-db")
              .otherwise("`endpoint`:`port`")
              .takes("a name")
              .means(
                  "One name of the server for all hosts, needed if some hosts reach the server by"
                      + " another address, such as a tunnel. This name and `database` identify the"
                      + " database to which a recorder [belongs](runbook.md#another-database)."));
  public static final Setting<Secret> PASSWORD =
      TABLE.add(
          new Setting<>("password", Secret.class, null, new NotEmpty())
              .takes("text")
              .means(
                  "Write at most one of `password`, `password_file` and `secret`. Without them the"
                      + " driver looks in `~/.pgpass`. With the value `rds-iam` the host logs in to"
                      + " RDS by IAM, over TLS, with its AWS credentials."));
  public static final Setting<String> REGION =
      TABLE.add(
          Setting.text("region", null, "[a-z0-9-]{1,40}", "is not a region", "an AWS region")
              .otherwise("that of `endpoint`")
              .takes("an AWS region")
              .means(
                  "Region of the RDS server for `password = rds-iam`, if `endpoint` does not"
                      + " contain the region."));
  public static final Setting<Path> PASSWORD_FILE =
      TABLE.add(
          Setting.path("password_file", "the path of a file whose first line is the password")
              .means(
                  "A file whose first line is the password. The file is read before each"
                      + " connection, so a new password needs neither a restart nor a reload."));
  public static final Setting<String> SECRET =
      TABLE.add(
          Setting.text(
                  "secret",
                  null,
                  "arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[A-Za-z0-9/_+=.@!-]{1,519}",
                  "is not a secret's ARN",
                  "a secret's ARN, such as arn:aws:secretsmanager:eu-central-1:123456789012:secret:db-AbCdEf")
              .takes("an ARN")
              .means(
                  "A secret of AWS Secrets Manager. Its text is the password, or JSON with the"
                      + " password as `password`, as RDS writes it. If the JSON has `username`,"
                      + " that must be the value of `user`. The secret is read before each"
                      + " connection. While it cannot be read, the host uses the last password.")
              .mayDiffer());
  public static final Setting<URI> SECRET_ENDPOINT =
      TABLE.add(
          new Setting<>("secret_endpoint", URI.class, null, new PrivateAddress())
              .otherwise("that of the secret's region")
              .takes("`https://…`")
              .means(
                  "Another address of Secrets Manager, such as that of a VPC endpoint or the FIPS"
                      + " endpoint.")
              .mayDiffer());
  public static final Setting<SslMode> SSLMODE =
      TABLE.add(
          Setting.word("sslmode", SslMode.PREFER)
              .means("`verify-full` with `sslrootcert` is best."));
  public static final Setting<Path> SSLROOTCERT =
      TABLE.add(
          Setting.path("sslrootcert", "the path of the certificate authority's PEM file")
              .means("The certificate authority's PEM file."));
  public static final Setting<String> SCHEMA =
      TABLE.add(
          new Setting<>("schema", String.class, SchemaNames.DEFAULT.control(), new OwnSchema())
              .takes("lower-case name, no reserved word, not `public`")
              .means(
                  "Schema of Recorder's own [tables](tables.md). The keys of its advisory locks are"
                      + " derived from this name."));
  public static final Setting<String> HANDOFF_SCHEMA =
      TABLE.add(
          new Setting<>(
                  "handoff_schema",
                  String.class,
                  SchemaNames.DEFAULT.handoff(),
                  new SchemaName(SchemaNames.DEFAULT.handoff()))
              .takes("lower-case name, no reserved word, not `schema`")
              .means(
                  "Schema of the tables that applications insert into. Each installation in a database needs its own. `public` gets a warning."));

  private DatabaseConfig(SectionReader reader) {
    super(TABLE, reader.inEffect());
  }

  public static Deferred<DatabaseConfig> read(SectionReader reader, Path configFile) {
    reader.read(TABLE);
    PasswordReader.read(reader, configFile);
    if (reader.has(SECRET_ENDPOINT) && !reader.has(SECRET)) {
      reader.error(
          SECRET_ENDPOINT, "secret_endpoint has no meaning without secret", "leave the key out");
    }
    resolveRootCert(reader, configFile);
    String schema = reader.value(SCHEMA);
    String handoff = reader.value(HANDOFF_SCHEMA);
    if (schema.equals(handoff)) {
      reader.error(
          reader.has(HANDOFF_SCHEMA) ? HANDOFF_SCHEMA : SCHEMA,
          "schema and handoff_schema are both " + schema,
          "write two different names");
    }
    if (handoff.equals(PUBLIC)) {
      reader.warning(
          HANDOFF_SCHEMA,
          "handoff_schema = public is everybody's schema: a table of another application may have a"
              + " recorder's name, and where a role may create in it, it may create that table"
              + " first",
          "write a schema of the recorder's own, such as " + reader.byDefault(HANDOFF_SCHEMA));
    }
    return () -> new DatabaseConfig(reader);
  }

  private static void resolveRootCert(SectionReader reader, Path configFile) {
    Path written = reader.optional(SSLROOTCERT);
    if (written == null) {
      return;
    }
    Path file = configFile.resolveSibling(written);
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      reader.error(
          SSLROOTCERT,
          "sslrootcert: no readable file " + file,
          "write " + SSLROOTCERT.rule().allowed());
    }
    reader.set(SSLROOTCERT, file);
  }

  /** Returns the schema of the recorder's own tables. */
  public String schema() {
    return get(SCHEMA);
  }

  /** Returns the password; null if the driver looks for one, or the server needs none. */
  public @Nullable Secret password() {
    return orNull(PASSWORD);
  }

  /** Returns the region for RDS tokens; null if tokens do not replace the password. */
  public @Nullable String tokenRegion() {
    Secret password = password();
    return password != null && password.reveal().equals(PasswordReader.RDS_IAM)
        ? get(REGION)
        : null;
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
    private static final SchemaName ANY = new SchemaName(SchemaNames.DEFAULT.control());

    @Override
    public @Nullable String fault(String value) {
      return value.equals(PUBLIC) ? "is everybody's schema" : ANY.fault(value);
    }

    @Override
    public String allowed() {
      return ANY.allowed();
    }
  }

  /** Requires TLS except on loopback, since the answer holds a password. */
  private record PrivateAddress() implements Rule<URI> {
    private static final S3Config.HttpAddress ANY = new S3Config.HttpAddress();
    private static final Set<String> THIS_HOST = Set.of("127.0.0.1", "localhost", "[::1]");

    @Override
    public @Nullable String fault(URI value) {
      String fault = ANY.fault(value);
      boolean isOpen = "http".equals(value.getScheme()) && !THIS_HOST.contains(value.getHost());
      return fault == null && isOpen ? "would have the password sent in clear text" : fault;
    }

    @Override
    public String allowed() {
      return "https://, a host and perhaps a port";
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
