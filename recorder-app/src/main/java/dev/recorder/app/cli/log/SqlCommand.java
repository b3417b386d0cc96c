package dev.recorder.app.cli.log;

import static java.util.Map.entry;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.output.TextTemplate;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.table.TableLayout;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints a script with which an engine reads a log. Asks neither the database nor the bucket. */
@Command(
    description = {
      "The script makes NAME_slots of the slots. With 'table = delta' it also makes NAME_table, and"
          + " NAME_rows: the table, and the slots that the table does not have yet; and of each"
          + " captured table in the file NAME_SCHEMA_TABLE with its changes.",
      "For Spark, Polars and pandas it is Python, with the variables slots, table and rows."
    },
    mixinStandardHelpOptions = true)
public final class SqlCommand extends PrintingCommand {
  /**
   * Separates the scripts of a template: for the slots, for the table, for the changes of one
   * captured table.
   */
  private static final String PARTS = "~~~\n";

  /** Bytes that a line has beside its payload, at most. */
  private static final int AROUND_PAYLOAD = 1 << 20;

  /** The engines, each with a template of its name among the resources. */
  enum Engine {
    DUCKDB,
    ATHENA,
    SPARK,
    TRINO,
    CLICKHOUSE,
    POLARS,
    PANDAS,
    SNOWFLAKE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the engine can read from a store other than AWS by the script alone. */
    boolean takesEndpoint() {
      return switch (this) {
        case DUCKDB, SPARK, CLICKHOUSE, POLARS, PANDAS -> true;
        case ATHENA, TRINO, SNOWFLAKE -> false;
      };
    }
  }

  @Mixin private RecorderOption recorder;

  @Option(
      names = "--for",
      required = true,
      paramLabel = "ENGINE",
      description = "One of ${COMPLETION-CANDIDATES}.")
  private Engine engine = Engine.DUCKDB; // Replaced: the option is required.

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    RecorderSection section = recorder.load().section();
    if (section.kind() != RecorderKind.LOG) {
      throw CommandFailure.usage(
          "recorder '%s' has no log: its documents are one JSON object for each entity"
              .formatted(section.name()));
    }
    out().print(script(section));
    out().flush();
    return ExitCode.OK;
  }

  private String script(RecorderSection section) throws CommandFailure {
    LogLayout log = ConfiguredMachine.layout(section);
    if (log.folder().matches(".*['*].*")) {
      throw CommandFailure.usage(
          "engines read ' and * in a prefix as something else, and the prefix of recorder '%s' is %s"
              .formatted(section.name(), log.prefix()));
    }
    Optional<URI> endpoint = Optional.ofNullable(section.s3().orNull(S3Config.ENDPOINT));
    if (endpoint.isPresent() && !engine.takesEndpoint()) {
      throw CommandFailure.usage(
          "%s knows a store other than AWS only by its own configuration, and recorder '%s' has endpoint = %s"
              .formatted(engine.word(), section.name(), endpoint.get()));
    }
    String[] parts =
        TextTemplate.of(SqlCommand.class, "sql/" + engine.word() + ".template")
            .text()
            .split(PARTS, -1);
    Map<String, String> values = values(section, log, endpoint);
    StringBuilder script = new StringBuilder(new TextTemplate(parts[0]).fill(values));
    if (section.orNull(RecorderSectionKeys.TABLE_FORM) != null) {
      script.append('\n').append(new TextTemplate(parts[1]).fill(values));
      Set<String> names = new HashSet<>();
      for (CaptureSection capture : section.captures()) {
        script
            .append('\n')
            .append(new TextTemplate(parts[2]).fill(ofChanges(values, log, capture, names)));
      }
    }
    return script.toString();
  }

  /** Returns the values for the changes of a captured table, and adds its name to those taken. */
  private static Map<String, String> ofChanges(
      Map<String, String> values, LogLayout log, CaptureSection capture, Set<String> names) {
    String table = capture.table().logged();
    String key = TableLayout.ofChanges(log, table).root();
    String name = table.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    String free = name;
    for (int number = 2; !names.add(free); number++) {
      free = name + "_" + number;
    }
    Map<String, String> all = new HashMap<>(values);
    all.put("table_name", table.replaceAll("\\R", " "));
    all.put("changes_name", log.recorder().value() + "_" + free);
    all.put("changes_key", key);
    all.put("changes", log.bucket() + "/" + key);
    return all;
  }

  private static Map<String, String> values(
      RecorderSection section, LogLayout log, Optional<URI> endpoint) {
    String region = section.s3().get(S3Config.REGION);
    String table = TableLayout.of(log).root();
    long rowBytes = section.get(RecorderSectionKeys.MAX_PAYLOAD).bytes() + AROUND_PAYLOAD;
    return Map.ofEntries(
        entry("name", section.name()),
        entry("bucket", log.bucket()),
        entry("region", region),
        entry("extension", log.compression().extension()),
        entry("row_bytes", Long.toString(rowBytes)),
        entry("slots", log.bucket() + "/" + log.folder()),
        entry("table", log.bucket() + "/" + table),
        entry("table_key", table),
        entry("url", endpoint.map(SqlCommand::root).orElse(aws(region)) + "/" + log.bucket()),
        entry("folder", log.folder()),
        entry("endpoint", endpoint.map(SqlCommand::forDuckDb).orElse("")),
        entry(
            "s3a",
            endpoint
                .map(
                    uri ->
                        "s3a.set(\"fs.s3a.endpoint\", \"%s\")\n".formatted(root(uri))
                            + "s3a.set(\"fs.s3a.path.style.access\", \"true\")\n")
                .orElse("s3a.set(\"fs.s3a.endpoint.region\", \"%s\")\n".formatted(region))),
        entry(
            "fsspec",
            endpoint
                .map(uri -> "\"endpoint_url\": \"%s\"".formatted(root(uri)))
                .orElse("\"region_name\": \"%s\"".formatted(region))),
        entry(
            "storage_options",
            "\"AWS_REGION\": \"%s\"".formatted(region)
                + endpoint
                    .map(
                        uri ->
                            ", \"AWS_ENDPOINT_URL\": \"%s\", \"AWS_ALLOW_HTTP\": \"true\""
                                .formatted(root(uri)))
                    .orElse("")));
  }

  private static String aws(String region) {
    return "https://s3." + region + ".amazonaws.com" + (region.startsWith("cn-") ? ".cn" : "");
  }

  private static String root(URI endpoint) {
    return endpoint.getScheme() + "://" + endpoint.getRawAuthority();
  }

  private static String forDuckDb(URI endpoint) {
    return ", ENDPOINT '%s', URL_STYLE 'path', USE_SSL %s"
        .formatted(endpoint.getRawAuthority(), endpoint.getScheme().equals("https"));
  }
}
