package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.audit.AuditResult;
import dev.recorder.audit.postgres.LockWaits;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.reader.LogMoment;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Verifies logs and documents. Only reads, and may run while a recorder writes. */
@Command(
    description = {
      "Several recorders are verified at once. Exits with 1 if one has faults, and with"
          + " another code if one could not be verified; the others are verified first.",
      "With -o json, prints one line per recorder, and the findings on standard error."
    },
    mixinStandardHelpOptions = true)
public final class VerifyCommand extends PrintingCommand {
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
      names = "--until",
      paramLabel = MomentConverter.LABEL,
      converter = MomentConverter.class,
      description = "End with the last whole window before this moment.")
  private @Nullable LogMoment until;

  @Option(
      names = "--by-host",
      description =
          "Ask the active host to verify the whole log, within about a minute;"
              + " 'recorder status' has the verdict. For logs with verify_every.")
  private boolean byHost;

  @Override
  public Integer call() throws Exception {
    RecorderConfig loaded =
        names.isEmpty() ? config.load() : config.load(RequiredSections.ofRecorders(names));
    List<RecorderSection> sections = new ArrayList<>();
    for (String name : names) {
      sections.add(CommandResources.section(loaded, name));
    }
    if (sections.isEmpty()) {
      sections.addAll(byHost ? VerificationOrders.scheduled(loaded) : verifiable(loaded));
    }
    if (byHost) {
      if (until != null) {
        throw CommandFailure.usage("--by-host verifies the whole log, without --until");
      }
      VerificationOrders.of(loaded, sections, this::printAsked);
      return ExitCode.OK;
    }
    ProgressLine line = progressLine();
    Consumer<String> says = line == null ? this::warn : line::say;
    try (CommandResources site = CommandResources.open(loaded);
        Verifications running = new Verifications(line)) {
      List<Verifications.RunningAudit> audits = new ArrayList<>();
      for (RecorderSection section : sections) {
        ReportedLockWaits waits = new ReportedLockWaits(section.name(), says);
        audits.add(
            running.begin(
                section.name(),
                () ->
                    Verification.of(site, section, new Verification.LogSpan(from, until), waits)));
      }
      return judge(audits);
    }
  }

  private void printAsked(String recorder) {
    output.print(
        new JsonObject().with("recorder", recorder).with("asked", true),
        recorder + ": asked for; 'recorder status' will have the verdict");
    out().flush();
  }

  /**
   * Prints the results in order. Each result is printed once it is there and the ones before it are
   * printed. Returns the exit code.
   */
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
          String why = EscapedText.lines(String.valueOf(e.getMessage()));
          err().println("recorder: " + audit.recorder() + ": " + why);
        }
      }
    }
    if (first != null) {
      throw first;
    }
    return ok ? ExitCode.OK : ExitCode.FAULTS;
  }

  private @Nullable ProgressLine progressLine() {
    return output.showsProgress() ? new ProgressLine(err(), Ticker.system()) : null;
  }

  /**
   * Returns all recorders without a handler of their own. Only such a handler can check its
   * effects.
   */
  private static List<RecorderSection> verifiable(RecorderConfig config) {
    return config.recorders().stream()
        .filter(r -> r.orNull(RecorderSectionKeys.HANDLER) == null)
        .toList();
  }

  private void print(AuditResult verdict) {
    output.printOne(verdict, table());
    printFindings(output.isJson() ? err() : out(), verdict);
    out().flush();
  }

  private static ListColumns<AuditResult> table() {
    return new ListColumns<AuditResult>()
        .text("RECORDER", "recorder", AuditResult::recorder)
        .number("SLOTS", "slots", AuditResult::slots)
        .number("ROWS", "rows", AuditResult::rows)
        .number("COMPARED", AuditResult::compared)
        .number("LOST", "lost", AuditResult::lost)
        .number("DUPLICATED", "duplicated", AuditResult::duplicated)
        .number("GAPS", "gaps", AuditResult::gaps)
        .number("OUT OF ORDER", "out_of_order", AuditResult::outOfOrder)
        .number("HASH MISMATCHES", "hash_mismatches", AuditResult::hashMismatches)
        .text("RESULT", verdict -> verdict.ok() ? "ok" : "FAULTS")
        .member("ok", AuditResult::ok);
  }

  private static void printFindings(PrintWriter to, AuditResult verdict) {
    verdict
        .findings()
        .forEach(finding -> to.println(verdict.recorder() + ": " + EscapedText.of(finding)));
    if (verdict.moreFindings() > 0) {
      to.println(verdict.recorder() + ": and " + verdict.moreFindings() + " more");
    }
    verdict
        .notes()
        .forEach(note -> to.println(verdict.recorder() + ": note: " + EscapedText.lines(note)));
    to.flush();
  }

  /** Waits for locks without a limit, and names each holder once. */
  private static final class ReportedLockWaits implements LockWaits {
    private final String recorder;
    private final Consumer<String> says;
    private String last = "";

    ReportedLockWaits(String recorder, Consumer<String> says) {
      this.recorder = recorder;
      this.says = says;
    }

    @Override
    public boolean goesOn(int times, String why) {
      if (!why.equals(last)) {
        last = why;
        says.accept(
            "recorder: " + recorder + ": waits, and continues by itself: " + EscapedText.of(why));
      }
      return true;
    }
  }
}
