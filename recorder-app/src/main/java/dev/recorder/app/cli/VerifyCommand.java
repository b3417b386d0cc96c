package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RecorderSection;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.audit.DocumentVerifier;
import dev.recorder.audit.LogVerifier;
import dev.recorder.audit.Verdict;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
      "Prove that each row is in the log once and in order, and that the log has no gap; of a"
          + " recorder of requests, that each document is what its complete requests make it.",
      "Exits with 1 if that is not so. With -o json, one line per recorder; what was found is"
          + " then on standard error."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Recorders; else all.")
  private List<String> names = List.of();

  @Option(
      names = "--from",
      paramLabel = "SLOT",
      defaultValue = "1",
      description = "Begin with this slot; what lies before it is not looked at.")
  private long from;

  @Override
  public Integer call() throws ConfigException, CommandFailure, UnreadableSlotException {
    RecorderConfig loaded = config.load();
    List<RecorderSection> sections = new ArrayList<>();
    for (String name : names) {
      sections.add(Site.section(loaded, name));
    }
    boolean ok = true;
    try (Site site = Site.open(loaded)) {
      for (RecorderSection section : sections.isEmpty() ? verifiable(loaded) : sections) {
        Verdict verdict = verify(site, section);
        print(verdict);
        ok &= verdict.ok();
      }
    }
    return ok ? ExitCode.OK : ExitCode.FAULTS;
  }

  /** All but those whose effects only a handler of the user's knows. */
  private static List<RecorderSection> verifiable(RecorderConfig config) {
    return config.recorders().stream().filter(r -> r.requests().handler() == null).toList();
  }

  private Verdict verify(Site site, RecorderSection section)
      throws CommandFailure, UnreadableSlotException {
    return ConfiguredMachine.kind(section) == RecorderKind.LOG
        ? verifyLog(site, section)
        : verifyDocuments(site, section);
  }

  private static Verdict verifyDocuments(Site site, RecorderSection section)
      throws CommandFailure, UnreadableSlotException {
    Site.Documents documents = site.documents(section);
    return new DocumentVerifier(
            site.bucket(section),
            documents.layout(),
            site.database().requestRecords(documents.name()),
            section.history() == null)
        .verify();
  }

  private Verdict verifyLog(Site site, RecorderSection section)
      throws CommandFailure, UnreadableSlotException {
    Site.Log log = site.log(section);
    return new LogVerifier(
            log.bucket(), log.layout(), site.database().records(log.name(), log.row().lockId()))
        .verify(from);
  }

  private void print(Verdict verdict) {
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

  private static void printTable(PrintWriter out, Verdict verdict) {
    out.println(
        new Table<Verdict>()
            .text("RECORDER", Verdict::recorder)
            .number("SLOTS", Verdict::slots)
            .number("ROWS", Verdict::rows)
            .number("COMPARED", Verdict::compared)
            .number("LOST", Verdict::lost)
            .number("DUPLICATED", Verdict::duplicated)
            .number("GAPS", Verdict::gaps)
            .number("OUT OF ORDER", Verdict::outOfOrder)
            .number("HASH MISMATCHES", Verdict::hashMismatches)
            .text("RESULT", v -> v.ok() ? "ok" : "FAULTS")
            .of(List.of(verdict)));
  }

  private static void printFindings(PrintWriter to, Verdict verdict) {
    verdict.findings().forEach(finding -> to.println(verdict.recorder() + ": " + finding));
    if (verdict.moreFindings() > 0) {
      to.println(verdict.recorder() + ": and " + verdict.moreFindings() + " more");
    }
    verdict.notes().forEach(note -> to.println(verdict.recorder() + ": note: " + note));
    to.flush();
  }

  private static Map<String, Object> json(Verdict verdict) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("recorder", verdict.recorder());
    json.put("slots", verdict.slots());
    json.put("rows", verdict.rows());
    json.put("lost", verdict.lost());
    json.put("duplicated", verdict.duplicated());
    json.put("gaps", verdict.gaps());
    json.put("out_of_order", verdict.outOfOrder());
    json.put("hash_mismatches", verdict.hashMismatches());
    json.put("ok", verdict.ok());
    return json;
  }
}
