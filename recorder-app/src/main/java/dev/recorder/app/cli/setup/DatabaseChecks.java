package dev.recorder.app.cli.setup;

import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.RowSource;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.holders.LockHolder;
import dev.recorder.requests.EntityQuery;
import dev.recorder.schema.HandoffUse;
import dev.recorder.schema.MissingRight;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.RecorderRow;
import dev.recorder.schema.Schema;
import dev.recorder.schema.ServerInfo;
import dev.recorder.schema.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Checks that recorders can run with the database, and that its rows agree with the file. */
final class DatabaseChecks {
  private final RecorderConfig config;
  private final Inspection database;

  DatabaseChecks(RecorderConfig config, Inspection database) {
    this.config = config;
    this.database = database;
  }

  List<Check> run() {
    List<Check> checks = new ArrayList<>();
    checks.add(check("server", this::server));
    checks.add(check("role", this::role));
    Optional<Integer> version;
    try {
      version = database.schemaVersion();
    } catch (DatabaseException e) {
      checks.add(refused("tables", e));
      checks.add(check("rights", this::rights)); // This check needs no tables.
      return checks;
    }
    checks.add(check("tables", () -> tables(version)));
    if (version.isPresent()) {
      checks.add(check("rights", this::rights));
      checks.add(check("code of others", this::codeOfOthers));
      checks.add(check("rights of others", this::rightsOfOthers));
    }
    checks.add(check("locks", this::locks));
    for (RecorderSection recorder : config.recorders()) {
      checks.add(check("lock of " + recorder.name(), () -> lock(recorder)));
      checks.add(
          version.isPresent()
              ? check("row of " + recorder.name(), () -> row(recorder))
              : check("table of " + recorder.name(), () -> table(recorder)));
      ConfiguredMachine.query(recorder)
          .map(query -> check("query of " + recorder.name(), () -> query(recorder, query)))
          .ifPresent(checks::add);
    }
    if (version.isPresent()) {
      checks.add(check("tables of locks", this::lockTables));
    }
    return checks;
  }

  /** Runs a check. A {@link DatabaseException} is a failed check. */
  static Check check(String name, Supplier<Check> question) {
    try {
      return question.get();
    } catch (DatabaseException e) {
      return refused(name, e);
    }
  }

  /** Returns a failed check. Leaves out the message's advice to run {@code recorder check}. */
  static Check refused(String name, DatabaseException e) {
    String why = String.valueOf(e.getMessage()).replace(DatabaseException.RIGHTS_REMEDY, "");
    return new Check(name, why, ExitCode.of(e));
  }

  private Check server() {
    ServerInfo server = database.server();
    return Check.passed(
        "server",
        (server.damagesIndexes()
                ? "warning: this version can damage an index that is made CONCURRENTLY, and a row"
                    + " that the index misses is not recorded; update to 14.4 or later, then"
                    + " REINDEX the hand-off tables: "
                : "")
            + "PostgreSQL %s at %s, no standby server, no pooler"
                .formatted(server.version(), ConfiguredMachine.database(config)));
  }

  private Check role() {
    ServerInfo server = database.server();
    if (server.readOnly()) {
      return new Check(
          "role",
          "sessions of " + server.role() + " are read-only" + DatabaseException.READ_ONLY_REMEDY,
          ExitCode.UNREACHABLE);
    }
    return Check.passed(
        "role",
        server.role()
            + (server.superuser()
                ? ", a superuser; it needs none of that, see 'recorder schema'"
                : ", not a superuser"));
  }

  private Check tables(Optional<Integer> version) {
    String schema = "schema " + config.database().schema();
    if (version.isEmpty()) {
      return database.server().mayCreate()
          ? Check.passed("tables", schema + " has none yet; the first start creates them")
          : new Check(
              "tables",
              schema
                  + " has none, and this role may not create them; run 'recorder schema' as"
                  + " an administrator",
              ExitCode.RIGHTS);
    }
    if (version.get() != Schema.VERSION) {
      return Check.misconfigured(
          "tables", Setup.anotherVersion(config.database().schema(), version.get()));
    }
    String fault = database.controlFault();
    return fault.isEmpty()
        ? Check.passed("tables", schema + " has version " + version.get())
        : new Check("tables", fault, ExitCode.UNREACHABLE);
  }

  private Check rights() {
    List<MissingRight> missing =
        database.missingRights(config.recorders().stream().map(DatabaseChecks::use).toList());
    return missing.isEmpty()
        ? Check.passed("rights", "all that recorders need")
        : new Check(
            "rights",
            "missing: %s; let an administrator run the output of 'recorder schema', or: %s"
                .formatted(
                    named(missing),
                    missing.stream()
                        .map(MissingRight::grant)
                        .distinct()
                        .collect(Collectors.joining(" "))),
            ExitCode.RIGHTS);
  }

  /**
   * Checks the roles under which views, types and functions run that queries and captured tables
   * use.
   */
  private Check codeOfOthers() {
    List<String> faults = database.weakRoleFaults();
    List<String> members = faults.isEmpty() ? database.membersOfWeakRoles() : List.of();
    return faults.isEmpty()
        ? Check.passed(
            "code of others",
            "runs as roles that may do no more than they have to"
                + (members.isEmpty() ? "" : "; warning: " + String.join("; ", members)))
        : new Check(
            "code of others",
            "runs with more rights than it should: " + String.join("; ", faults),
            ExitCode.RIGHTS);
  }

  private Check rightsOfOthers() {
    List<String> faults = database.rightsOfOthers();
    return faults.isEmpty()
        ? Check.passed("rights of others", "no more than 'recorder schema' lets them")
        : new Check(
            "rights of others",
            "more than 'recorder schema' lets them: " + String.join("; ", faults),
            ExitCode.RIGHTS);
  }

  private static HandoffUse use(RecorderSection recorder) {
    RecorderKind kind = recorder.kind();
    return new HandoffUse(
        new RecorderName(recorder.name()),
        kind,
        recorder.get(RecorderSectionKeys.SOURCE) == RowSource.TIMER,
        kind == RecorderKind.LOG && recorder.get(RecorderSectionKeys.HISTORY).kept() != null);
  }

  private static String named(List<MissingRight> rights) {
    return rights.stream().map(MissingRight::toString).collect(Collectors.joining(", "));
  }

  /** Checks the tables of locks. Only warns, since recorders run without these tables. */
  private Check lockTables() {
    List<MissingRight> missing = database.missingLockRights();
    return Check.passed(
        "tables of locks",
        missing.isEmpty()
            ? "all that 'recorder lock' and 'recorder tasks' need"
            : "warning: recorders need none, but 'recorder lock' and 'recorder tasks' lack "
                + named(missing)
                + "; let an administrator run the output of 'recorder schema'");
  }

  private Check locks() {
    Optional<LockHolder> setup = database.lockHolder(Setup.LOCK_ID);
    if (setup.isPresent() && !setup.get().ours()) {
      return strange("locks", "lockid " + Setup.LOCK_ID + ", which each start needs,", setup.get());
    }
    return database.tryLocks()
        ? Check.passed("locks", "one was taken and freed")
        : Check.failed(
            "locks", "the lock of an unused lockid is held; pg_locks shows by which session");
  }

  private Check lock(RecorderSection recorder) {
    String check = "lock of " + recorder.name();
    String lock = "lockid " + recorder.lockId();
    Optional<LockHolder> holder = database.lockHolder(recorder.lockId());
    if (holder.isPresent() && !holder.get().ours()) {
      return strange(check, lock, holder.get());
    }
    return Check.passed(check, lock + holder.map(ours -> " is held by " + ours).orElse(" is free"));
  }

  private Check query(RecorderSection recorder, EntityQuery query) {
    String check = "query of " + recorder.name();
    String fault = database.queryFault(query);
    if (fault.isEmpty()) {
      String doubts = database.queryDoubts(new RecorderName(recorder.name()), query);
      return Check.passed(
          check, "the server can run it" + (doubts.isEmpty() ? "" : "; warning: " + doubts));
    }
    String place = ConfigFile.place(config.sourceFile(), "recorder:" + recorder.name(), "query");
    return Check.misconfigured(check, place + ": query: " + fault);
  }

  private static Check strange(String check, String lock, LockHolder holder) {
    return Check.failed(
        check, lock + " is held by a foreign session: " + holder + "; " + holder.remedy());
  }

  private Check table(RecorderSection section) {
    String check = "table of " + section.name();
    String conflict = database.tableConflict(new RecorderName(section.name()), section.kind());
    return conflict.isEmpty()
        ? Check.passed(check, "nothing is in its way")
        : Check.misconfigured(check, conflict);
  }

  private Check row(RecorderSection section) {
    String check = "row of " + section.name();
    RecorderName name = new RecorderName(section.name());
    Check made = table(section);
    if (!made.ok()) {
      return new Check(check, made.detail(), made.exitCode());
    }
    Optional<RecorderRow> found = database.recorder(name);
    Optional<String> owner = database.recorderAt(section.lockId());
    if (found.isEmpty() && owner.isPresent()) {
      return Check.misconfigured(
          check,
          "lockid %s belongs to recorder %s in the database; give this one another"
              .formatted(section.lockId(), owner.get()));
    }
    if (found.isEmpty()) {
      return database.missingRights(List.of(use(section))).stream().anyMatch(MissingRight::isToMake)
          ? new Check(
              check,
              "there is none yet, and the first start may not create its table: see rights",
              ExitCode.RIGHTS)
          : Check.passed(check, "there is none yet; the first start creates it");
    }
    RecorderRow row = found.get();
    PinnedLayout configured = ConfiguredMachine.pinned(section);
    if (row.lockId() != section.lockId()) {
      return Check.misconfigured(
          check,
          "has lockid %s, this file says %s; correct the file"
              .formatted(row.lockId(), section.lockId()));
    }
    if (row.isPlaced() && !row.layout().equals(configured)) {
      return Check.misconfigured(check, CommandResources.movedLog(name, row.layout(), configured));
    }
    RecorderKind kind = section.kind();
    if (!row.kind().equals(kind.word())) {
      return Check.misconfigured(
          check,
          "has kind = %s, this file says kind = %s; give the new recorder another name and lockid"
              .formatted(row.kind(), kind.word()));
    }
    String table = database.tableFault(name, kind);
    if (!table.isEmpty()) {
      return Check.misconfigured(check, table);
    }
    String another = database.database().another(name, row.lockId());
    if (!another.isEmpty()) {
      return Check.misconfigured(check, another);
    }
    String foreign =
        kind == RecorderKind.LOG ? database.database().foreignNumbers(name, row.lockId()) : "";
    return foreign.isEmpty()
        ? Check.passed(check, "lockid and layout are those of this file" + slowReads(section))
        : Check.misconfigured(check, foreign);
  }

  /** Returns a warning that begins with a semicolon, or an empty text. */
  private String slowReads(RecorderSection section) {
    if (section.kind() != RecorderKind.LOG) {
      return "";
    }
    String why = database.slowReads(new RecorderName(section.name()));
    return why.isEmpty() ? "" : "; warning: " + why;
  }
}
