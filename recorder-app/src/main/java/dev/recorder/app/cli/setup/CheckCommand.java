package dev.recorder.app.cli.setup;

import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.ini.Finding;
import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks the configuration and, with {@code --online}, the servers that it names. */
@Command(
    description =
        "--online writes a few small test objects to each bucket, and takes and frees a lock"
            + " in Redis if the file names a server.",
    mixinStandardHelpOptions = true)
public final class CheckCommand extends PrintingCommand {
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Option(names = "--online", description = "Connect to the database, the buckets and Redis.")
  private boolean online;

  @Override
  public Integer call() {
    RecorderConfig loaded = null;
    List<Finding> findings;
    try {
      loaded = config.load();
      findings = loaded.warnings();
    } catch (ConfigException e) {
      findings = e.findings();
    }
    List<Check> checks = loaded != null && online ? check(loaded) : List.of();
    print(loaded, findings, checks);
    return loaded == null ? ExitCode.CONFIGURATION : Check.exitCode(checks);
  }

  private static List<Check> check(RecorderConfig config) {
    List<Check> checks = new ArrayList<>();
    try (Inspection database = CommandResources.connect(config)) {
      checks.addAll(new DatabaseChecks(config, database).run());
      checks.addAll(new CaptureChecks(config).run());
      checks.add(Connections.check(config, database.connectionLimit()));
      checks.addAll(new StoreChecks(config, database).run());
    } catch (DatabaseException e) {
      checks.add(DatabaseChecks.refused("database", e));
    }
    RedisCheck.run(config).ifPresent(checks::add);
    return checks;
  }

  private void print(@Nullable RecorderConfig loaded, List<Finding> findings, List<Check> checks) {
    PrintWriter out = out();
    if (output.isJson()) {
      OutputOption.printJson(out, json(loaded != null, findings, checks));
      return;
    }
    findings.forEach(out::println);
    out.println(summary(loaded, findings));
    if (!checks.isEmpty()) {
      out.println();
      out.println(table().of(checks));
    }
  }

  private String summary(@Nullable RecorderConfig loaded, List<Finding> findings) {
    long errors = findings.stream().filter(CheckCommand::isError).count();
    String counts = counted(errors, "error") + ", " + counted(findings.size() - errors, "warning");
    if (loaded == null) {
      return config.path() + ": " + counts;
    }
    String recorders = counted(loaded.recorders().size(), "recorder");
    return "%s: host %s, %s, %s"
        .formatted(config.path(), loaded.machine().name(), recorders, counts);
  }

  private static String counted(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static boolean isError(Finding finding) {
    return finding.severity() == Finding.FindingSeverity.ERROR;
  }

  private static JsonObject json(boolean usable, List<Finding> findings, List<Check> checks) {
    return new JsonObject()
        .with("ok", usable && Check.exitCode(checks) == ExitCode.OK)
        .with("findings", findings.stream().map(CheckCommand::json).toList())
        .with("checks", checks.stream().map(table()::json).toList());
  }

  private static JsonObject json(Finding finding) {
    return new JsonObject()
        .with("line", finding.line())
        .with("severity", finding.severity().name().toLowerCase(Locale.ROOT))
        .with("what", finding.what())
        .with("help", finding.help());
  }

  private static ListColumns<Check> table() {
    return new ListColumns<Check>()
        .text("RESULT", check -> check.ok() ? "ok" : "FAILED")
        .text("CHECK", "check", Check::name)
        .member("ok", Check::ok)
        .text("DETAIL", "detail", Check::detail);
  }
}
