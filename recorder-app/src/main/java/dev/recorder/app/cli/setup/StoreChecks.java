package dev.recorder.app.cli.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.app.daemon.Stores;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.s3.StoreProbe;
import dev.recorder.schema.RecorderRow;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreGuarantee;
import dev.recorder.store.StoreIdentity;
import dev.recorder.store.StoreViolations;
import dev.recorder.table.TableLayout;
import dev.recorder.time.NamedThreadFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Checks that the buckets keep the promises that recorders need, and that the objects in the
 * recorders' folders belong to this database.
 */
final class StoreChecks {
  private final RecorderConfig config;
  private final Inspection database;

  private record Tested(ObjectStore bucket, RecorderKind kind) {}

  StoreChecks(RecorderConfig config, Inspection database) {
    this.config = config;
    this.database = database;
  }

  List<Check> run() {
    List<Check> checks = new ArrayList<>();
    Set<Tested> tested = new HashSet<>();
    ExecutorService threads = Executors.newCachedThreadPool(new NamedThreadFactory("store-test"));
    try (Stores stores = new Stores(config)) {
      for (RecorderSection recorder : config.recorders()) {
        DocumentStore bucket = stores.of(recorder);
        String folder = ConfiguredMachine.folder(recorder);
        if (tested.add(new Tested(bucket, recorder.kind()))) {
          checks.add(store(bucket, recorder, nameOfStore(recorder, checks), threads));
        }
        checks.add(DatabaseChecks.check(name(recorder), () -> objects(recorder, bucket)));
        if (recorder.kind() == RecorderKind.LOG) {
          bucket
              .refusesUnconditional(folder)
              .map(refused -> writeOnce(recorder, refused))
              .ifPresent(checks::add);
        }
        if (recorder.orNull(RecorderSectionKeys.TABLE_FORM) != null) {
          checks.add(tables(recorder, bucket));
        }
        String name = "lifecycle of " + recorder.name();
        List<String> rules = bucket.expiringRules(folder);
        if (!rules.isEmpty()) {
          checks.add(
              Check.passed(
                  name,
                  "warning: lifecycle rules let its objects expire: "
                      + String.join(", ", rules)
                      + "; raise the log's floor before objects go, with 'recorder expire'"));
        }
        List<String> archive = bucket.archivingRules(folder);
        if (!archive.isEmpty()) {
          checks.add(
              Check.passed(
                  name,
                  "warning: lifecycle rules archive its objects: "
                      + String.join(", ", archive)
                      + "; those cannot be read until they are restored"));
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return checks;
  }

  /** Only hints at the policy, since without it the log is still safe from its own hosts. */
  private static Check writeOnce(RecorderSection recorder, boolean refused) {
    String name = "policy of " + recorder.name();
    if (refused) {
      return Check.passed(name, "in force: the bucket refuses a PUT without If-None-Match");
    }
    String policy =
        SiteFiles.bucketPolicy(
            recorder.s3().get(S3Config.BUCKET), List.of(ConfiguredMachine.folder(recorder)));
    return Check.passed(
        name,
        "hint: not in force: others who may write can replace objects of this log; on AWS, add the"
            + " bucket policy that 'recorder init' writes: "
            + policy.replaceAll("\\s+", " ").strip());
  }

  /**
   * Returns a unique name for the check: a bucket may be tested both for logs and for documents.
   */
  private static String nameOfStore(RecorderSection recorder, List<Check> before) {
    String name = "bucket " + recorder.s3().get(S3Config.BUCKET);
    return before.stream().anyMatch(check -> check.name().equals(name))
        ? name + " for " + recorder.name()
        : name;
  }

  private Check store(
      DocumentStore bucket, RecorderSection recorder, String name, ExecutorService threads) {
    UUID run = UUID.randomUUID();
    String folder = ConfiguredMachine.folder(recorder);
    if (bucket.head(ConfiguredMachine.identity(recorder, run).key())
            instanceof ObjectStore.Unclear unclear
        && unclear.rights()) {
      return new Check(name, unclear.reason(), ExitCode.RIGHTS);
    }
    boolean isLog = recorder.kind() == RecorderKind.LOG;
    StoreViolations races =
        database.lostRaces(ConfiguredMachine.pinned(recorder).place(), config.machine().name());
    StoreViolations.ViolationFinding before =
        races.find(isLog ? StoreGuarantee.CREATION : StoreGuarantee.REPLACEMENT);
    if (before instanceof StoreViolations.Lost lost) {
      return Check.failed(name, lost.why());
    } else if (before instanceof StoreViolations.Unknown unknown) {
      return new Check(name, unknown.why(), ExitCode.UNREACHABLE);
    }
    StoreProbe.Result result =
        isLog
            ? StoreProbe.run(bucket, folder, run, threads)
            : StoreProbe.runForDocuments(bucket, folder, run, threads);
    if (result instanceof StoreProbe.Broken broken) {
      String notNoted = races.note(broken.promise(), broken.why());
      return Check.failed(
          name,
          broken.why()
              + "; "
              + broken.remedy()
              + (notNoted.isEmpty() ? "" : "; this could not be noted: " + notNoted));
    } else if (result instanceof StoreProbe.Unusable failed) {
      return new Check(name, failed.why() + "; " + failed.remedy(), ExitCode.of(failed.cause()));
    } else if (result instanceof StoreProbe.Undecided unclear) {
      return new Check(name, unclear.why(), ExitCode.UNREACHABLE);
    }
    return Check.passed(name, "of many racing conditional writes exactly one wins");
  }

  /** Checks the rights for the folders of a log's tables, with an object that no engine reads. */
  private static Check tables(RecorderSection recorder, ObjectStore bucket) {
    String name = "tables of " + recorder.name();
    LogLayout log = ConfiguredMachine.layout(recorder);
    for (String folder : List.of(TableLayout.of(log).root(), TableLayout.allChanges(log))) {
      String key = folder + "_recorder_test";
      if (bucket.head(key) instanceof ObjectStore.Unclear unclear) {
        return unclear(name, unclear);
      } else if (bucket.putIfAbsent(key, "{}".getBytes(UTF_8), Map.of())
          instanceof ObjectStore.Unclear unclear) {
        return unclear(name, unclear);
      }
    }
    return Check.passed(name, "their folders can be read and written");
  }

  private static Check unclear(String name, ObjectStore.Unclear why) {
    return new Check(name, why.reason(), why.rights() ? ExitCode.RIGHTS : ExitCode.UNREACHABLE);
  }

  private static String name(RecorderSection recorder) {
    return (recorder.kind() == RecorderKind.LOG ? "log of " : "documents of ") + recorder.name();
  }

  private Check objects(RecorderSection recorder, ObjectStore bucket) {
    String name = name(recorder);
    Optional<RecorderRow> row =
        database.schemaVersion().flatMap(v -> database.recorder(new RecorderName(recorder.name())));
    StoreIdentity identity =
        ConfiguredMachine.identity(recorder, row.map(RecorderRow::log).orElseGet(UUID::randomUUID));
    StoreIdentity.Recognition verdict =
        row.isPresent()
            ? identity.check(bucket)
            : StoreIdentity.checkFree(bucket, identity.key(), identity.bucket());
    boolean isBegun = row.isPresent() && row.get().logCreated();
    if (!isBegun && verdict.kind() == StoreIdentity.IdentityKind.MISSING) {
      return Check.passed(name, "not begun yet");
    }
    return switch (verdict.kind()) {
      case RIGHT -> Check.passed(name, identity.key() + " is this database's");
      case UNCLEAR -> new Check(name, verdict.why(), ExitCode.UNREACHABLE);
      case MISSING, WRONG -> Check.failed(name, verdict.why());
    };
  }
}
