package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.cli.output.Shown;
import dev.recorder.app.cli.output.Table;
import dev.recorder.app.cli.output.TerminalLine;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.audit.AuditResult;
import dev.recorder.audit.postgres.LockWaits;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Proves logs and documents. Reads only, and may run while a recorder writes. */
@Command(
    name = "verify",
    description = {
      "Prove that each row is in the log once and in order, and that the log has no gap;"
          + " for a recorder of requests, that each document matches its complete requests.",
      "Several recorders are verified at once. Exits with 1 if one has faults, and with"
          + " another code if one could not be verified; the others are verified first.",
      "With -o json, prints one line per recorder, and the findings on standard error."
    },
    mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Recorders; default all.")
  private List<String> names = List.of();

  @Option(
      names = "--from",
      paramLabel = "SLOT",
      converter = WholeNumber.class,
      defaultValue = "1",
      description = "Start with this slot; earlier slots are not verified.")
  private long from;

  @Option(
      names = "--by-host",
      description =
          "Ask the active host to verify the whole log, within about a minute;"
              + " 'recorder status' has the verdict. For logs with verify_every.")
  private boolean byHost;

  @Override
  public Integer call() throws Exception {
    RecorderConfig loaded =
        names.isEmpty() ? config.load() : config.load(NeededSections.ofRecorders(names));
    List<RecorderSection> sections = new ArrayList<>();
    for (String name : names) {
      sections.add(CommandResources.section(loaded, name));
    }
    if (sections.isEmpty()) {
      sections.addAll(byHost ? AskedVerdict.scheduled(loaded) : verifiable(loaded));
    }
    if (byHost) {
      AskedVerdict.of(loaded, sections, this::printAsked);
      return ExitCode.OK;
    }
    ProgressLine line = progressLine();
    Consumer<String> says = line == null ? this::say : line::say;
    try (CommandResources site = CommandResources.open(loaded);
        Verifications running = new Verifications(line)) {
      List<Verifications.RunningAudit> audits = new ArrayList<>();
      for (RecorderSection section : sections) {
        ToldWaits waits = new ToldWaits(section.name(), says);
        audits.add(
            running.begin(section.name(), () -> Verification.of(site, section, from, waits)));
      }
      return judge(audits);
    }
  }

  private void printAsked(String recorder) {
    PrintWriter out = spec.commandLine().getOut();
    if (output.isJson()) {
      OutputOption.printJson(out, new JsonObject().with("recorder", recorder).with("asked", true));
    } else {
      out.println(recorder + ": asked for; 'recorder status' will have the verdict");
    }
    out.flush();
  }

  /** Prints each as soon as it is there and those before it are. */
  private int judge(List<Verifications.RunningAudit> audits) throws Exception {
    boolean ok = true;
    Exception first = null;
    for (Verifications.RunningAudit audit : audits) {
      try {
        AuditResult verdict = audit.verdict();
        print(verdict);
        ok &= verdict.ok();
      } catch (DatabaseException | UnreadableSlotException | CommandFailure e) {
        if (first == null) {
          first = e;
        } else {
          String why = Shown.lines(String.valueOf(e.getMessage()));
          spec.commandLine().getErr().println("recorder: " + audit.recorder() + ": " + why);
        }
      }
    }
    if (first != null) {
      throw first;
    }
    return ok ? ExitCode.OK : ExitCode.FAULTS;
  }

  private void say(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(text);
    err.flush();
  }

  private @Nullable ProgressLine progressLine() {
    return Boolean.getBoolean(TerminalLine.TERMINAL) && !output.isJson()
        ? new ProgressLine(spec.commandLine().getErr(), Ticker.system())
        : null;
  }

  /** All but those whose effects only a handler of the user's knows. */
  private static List<RecorderSection> verifiable(RecorderConfig config) {
    return config.recorders().stream()
        .filter(r -> r.orNull(RecorderSectionKeys.HANDLER) == null)
        .toList();
  }

  private void print(AuditResult verdict) {
    PrintWriter out = spec.commandLine().getOut();
    if (output.isJson()) {
      OutputOption.printJson(out, json(verdict));
      printFindings(spec.commandLine().getErr(), verdict);
    } else {
      printTable(out, verdict);
      printFindings(out, verdict);
    }
    out.flush();
  }

  private static void printTable(PrintWriter out, AuditResult verdict) {
    out.println(
        new Table<AuditResult>()
            .text("RECORDER", AuditResult::recorder)
            .number("SLOTS", AuditResult::slots)
            .number("ROWS", AuditResult::rows)
            .number("COMPARED", AuditResult::compared)
            .number("LOST", AuditResult::lost)
            .number("DUPLICATED", AuditResult::duplicated)
            .number("GAPS", AuditResult::gaps)
            .number("OUT OF ORDER", AuditResult::outOfOrder)
            .number("HASH MISMATCHES", AuditResult::hashMismatches)
            .text("RESULT", v -> v.ok() ? "ok" : "FAULTS")
            .of(List.of(verdict)));
  }

  private static void printFindings(PrintWriter to, AuditResult verdict) {
    verdict
        .findings()
        .forEach(finding -> to.println(verdict.recorder() + ": " + Shown.of(finding)));
    if (verdict.moreFindings() > 0) {
      to.println(verdict.recorder() + ": and " + verdict.moreFindings() + " more");
    }
    verdict
        .notes()
        .forEach(note -> to.println(verdict.recorder() + ": note: " + Shown.lines(note)));
    to.flush();
  }

  private static JsonObject json(AuditResult verdict) {
    return new JsonObject()
        .with("recorder", verdict.recorder())
        .with("slots", verdict.slots())
        .with("rows", verdict.rows())
        .with("lost", verdict.lost())
        .with("duplicated", verdict.duplicated())
        .with("gaps", verdict.gaps())
        .with("out_of_order", verdict.outOfOrder())
        .with("hash_mismatches", verdict.hashMismatches())
        .with("ok", verdict.ok());
  }

  /**
   * Waits for locks as long as the person does who runs the command, and says who has them: a line
   * for each that is in the way.
   */
  private static final class ToldWaits implements LockWaits {
    private final String recorder;
    private final Consumer<String> says;
    private String last = "";

    ToldWaits(String recorder, Consumer<String> says) {
      this.recorder = recorder;
      this.says = says;
    }

    @Override
    public boolean goesOn(int times, String why) {
      if (!why.equals(last)) {
        last = why;
        says.accept("recorder: " + recorder + ": waits, and continues by itself: " + Shown.of(why));
      }
      return true;
    }
  }
}
