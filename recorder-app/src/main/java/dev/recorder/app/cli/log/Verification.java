package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.LogVerifier;
import dev.recorder.audit.Progress;
import dev.recorder.audit.RecordsUntil;
import dev.recorder.audit.documents.DocumentVerifier;
import dev.recorder.audit.documents.EntityRecords;
import dev.recorder.audit.documents.RebuiltVerifier;
import dev.recorder.audit.documents.RequestRecords;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.audit.postgres.LockWaits;
import dev.recorder.audit.postgres.StoredRows;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.reader.LogMoment;
import dev.recorder.reader.MomentSearch;
import dev.recorder.requests.EntityQuery;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proves the log or the documents of one recorder. Each verification has its own sessions, so
 * several may run at once.
 */
@FunctionalInterface
interface Verification {
  /**
   * Runs the verification.
   *
   * @param room memory for reading, shared with other verifications
   */
  AuditResult run(Progress progress, ReadingRoom room)
      throws UnreadableSlotException, CommandFailure;

  /**
   * Prepares the verification.
   *
   * @param span the part of the log to verify
   * @param waits decides what to do while another session holds a lock on the log's rows
   */
  static Verification of(
      CommandResources site, RecorderSection section, LogSpan span, LockWaits waits)
      throws CommandFailure {
    if (section.kind() == RecorderKind.LOG) {
      CommandResources.Log log = site.log(section);
      Verification proof = ofLog(site, log, span, waits);
      return section.orNull(RecorderSectionKeys.TABLE_FORM) == null || span.until() != null
          ? proof
          : TableVerification.after(proof, log);
    } else if (span.until() != null) {
      site.log(section); // Fails with a message that the recorder has no log.
    }
    return ofDocuments(site, section);
  }

  /**
   * A part of a log.
   *
   * @param from the first slot
   * @param until the moment before which the part ends; null for the last settled slot
   */
  record LogSpan(long from, @Nullable LogMoment until) {}

  private static Verification ofLog(
      CommandResources site, CommandResources.Log log, LogSpan span, LockWaits waits)
      throws CommandFailure {
    int lockId = log.row().lockId();
    ObjectMetadata end = end(log, span);
    return (progress, room) -> {
      try (Inspection database = CommandResources.connectPatiently(site.config());
          StoredRows rows = StoredRows.open(site.sessions(), log.name(), lockId)) {
        LogRecords all = database.records(log.name(), lockId);
        LogRecords records = end == null ? all : until(all, end, log.name());
        AuditResult result =
            new LogVerifier(log.bucket(), log.layout(), records, rows.waiting(waits), room)
                .verify(span.from(), new BackgroundReading(), progress);
        if (!result.ok()) {
          requireOwnNumbers(database, log);
        }
        return result;
      } catch (UnfinishedException noRoom) {
        throw notVerified(log.name(), noRoom);
      }
    };
  }

  /** Returns the object that ends the part of the log; null if the part ends with the log. */
  private static @Nullable ObjectMetadata end(CommandResources.Log log, LogSpan span)
      throws CommandFailure {
    if (span.until() == null) {
      return null;
    }
    long first = log.row().head().firstSlot();
    MomentSearch search = log.moments();
    ObjectMetadata end =
        search.lastWindowBefore(search.firstNotBefore(span.until(), first), first).orElse(null);
    if (end == null) {
      throw log.hasNothingBefore(span.until());
    }
    if (end.slot() < span.from()) {
      throw CommandFailure.usage(
          "--until %s ends with slot %d, which is before --from %d"
              .formatted(span.until(), end.slot(), span.from()));
    }
    return end;
  }

  private static LogRecords until(LogRecords records, ObjectMetadata end, RecorderName name)
      throws CommandFailure {
    long rebased = records.settled().rebasedSlot();
    if (end.slot() <= rebased) {
      throw CommandFailure.usage(
          "slots of %s up to %d have the numbers of another server, and are compared with rows as they are now: leave --until out"
              .formatted(name, rebased));
    }
    return new RecordsUntil(records, end);
  }

  /**
   * Fails if the rows have another server's numbers: the comparison would report rows inserted here
   * as lost.
   */
  private static void requireOwnNumbers(Inspection database, CommandResources.Log log)
      throws CommandFailure {
    String foreign = database.database().foreignNumbers(log.name(), log.row().lockId());
    if (!foreign.isEmpty()) {
      throw new CommandFailure(
          ExitCode.CONFIGURATION,
          log.name()
              + " is not verified: its rows can be compared with the log once it is rebased; "
              + foreign);
    }
  }

  private static Verification ofDocuments(CommandResources site, RecorderSection section)
      throws CommandFailure {
    CommandResources.Documents documents = site.documents(section);
    ObjectStore bucket = site.bucket(section);
    boolean allKept = section.get(RecorderSectionKeys.HISTORY).kept() == null;
    long largest = section.get(RecorderSectionKeys.MAX_PAYLOAD).bytes();
    Optional<EntityQuery> query = ConfiguredMachine.query(section);
    return (progress, room) -> {
      room.of(DocumentVerifier.need(largest)); // Memory for one document, kept until the end.
      try (Inspection database = CommandResources.connectPatiently(site.config())) {
        if (query.isPresent()) {
          EntityRecords records = database.entityRecords(documents.name(), query.get());
          return new RebuiltVerifier(bucket, documents.layout(), records, allKept, largest)
              .verify();
        }
        RequestRecords records = database.requestRecords(documents.name());
        return new DocumentVerifier(bucket, documents.layout(), records, allKept, largest).verify();
      } catch (UnfinishedException noRoom) {
        throw notVerified(documents.name(), noRoom);
      }
    };
  }

  private static CommandFailure notVerified(RecorderName name, UnfinishedException noRoom) {
    return new CommandFailure(
        ExitCode.CONFIGURATION, name + " is not verified: " + noRoom.getMessage());
  }
}
