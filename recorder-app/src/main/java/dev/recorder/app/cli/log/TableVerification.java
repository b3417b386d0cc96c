package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.audit.AuditResult;
import dev.recorder.logging.Plurals;
import dev.recorder.reader.LogReadException;
import dev.recorder.table.LogAddress;
import dev.recorder.table.TableException;
import dev.recorder.table.TableProof;
import dev.recorder.table.TableProof.TableVerdict;
import dev.recorder.table.parquet.ParquetFormat;
import java.util.List;
import java.util.Optional;

/** Proves a log's table in S3 by comparing it with the log. */
final class TableVerification {
  private TableVerification() {}

  /** Returns a verification that proves the log, then its table. */
  static Verification after(Verification ofLog, CommandResources.Log log) {
    return (progress, room) -> and(ofLog.run(progress, room), log);
  }

  private static AuditResult and(AuditResult ofLog, CommandResources.Log log)
      throws CommandFailure {
    try {
      Optional<TableVerdict> found = proof(log).run(log.row().head().firstSlot());
      return found
          .map(table -> ofLog.and(table.findings(), table.more(), note(table)))
          .orElseGet(() -> ofLog.and(List.of(), 0, "there is no table yet"));
    } catch (TableException | LogReadException e) {
      if (!ofLog.ok()) {
        return ofLog.and(List.of(), 0, "the table was not compared: " + e.getMessage());
      }
      throw new CommandFailure(
          ExitCode.UNREACHABLE, log.name() + ": its table is not verified: " + e.getMessage());
    }
  }

  /** Returns the last slot that the table has; empty if it has none. */
  static Optional<Long> covered(CommandResources.Log log) throws TableException {
    return proof(log).covered();
  }

  private static TableProof proof(CommandResources.Log log) {
    return new TableProof(
        new LogAddress(log.bucket(), log.layout(), log.row().log()), new ParquetFormat());
  }

  private static String note(TableVerdict table) {
    String changes =
        table.changes().isEmpty()
            ? ""
            : "; the changes of %d captured %s were compared, too"
                .formatted(
                    table.changes().size(),
                    Plurals.word(table.changes().size(), "table", "tables"));
    return "the table has slots up to %d in commit %d: %d %s in %d %s%s"
        .formatted(
            table.covered(),
            table.version(),
            table.rows(),
            Plurals.word(table.rows(), "row", "rows"),
            table.files(),
            Plurals.word(table.files(), "file", "files"),
            changes);
  }
}
