package dev.recorder.app.config;

import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.host.HttpConfig;
import dev.recorder.app.config.host.LogConfig;
import dev.recorder.app.config.host.MachineConfig;
import dev.recorder.app.config.host.MachineIdentity;
import dev.recorder.app.config.host.MetricsConfig;
import dev.recorder.app.config.host.TimingConfig;
import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.DidYouMean;
import dev.recorder.app.config.ini.Findings;
import dev.recorder.app.config.ini.IniDocument;
import dev.recorder.app.config.ini.IniSection;
import dev.recorder.app.config.ini.IniView;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.app.config.recorder.CaptureSections;
import dev.recorder.app.config.recorder.FileWriteAccess;
import dev.recorder.app.config.recorder.RecorderReader;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Reads all sections, checks each alone and all together, and builds the records if there are no
 * errors.
 */
final class ConfigReader {
  /** The sections that may be in a file once each. */
  static final List<SettingTable> TABLES =
      List.of(
          MachineConfig.TABLE,
          DatabaseConfig.TABLE,
          S3Config.TABLE,
          TimingConfig.TABLE,
          RedisConfig.TABLE,
          HttpConfig.TABLE,
          MetricsConfig.TABLE,
          LogConfig.TABLE);

  private static final List<String> SECTIONS = TABLES.stream().map(SettingTable::section).toList();

  private static final int MOST_CAPTURES = 1_000;

  private final Path file;
  private final IniDocument document;
  private final IniView view;
  private final Findings findings;
  private final boolean whole;

  ConfigReader(Path file, IniDocument document, Findings findings) {
    this(file, document, findings, true);
  }

  private ConfigReader(Path file, IniDocument document, Findings findings, boolean whole) {
    this.file = file;
    this.document = document;
    this.view = new IniView(document);
    this.findings = findings;
    this.whole = whole;
  }

  /**
   * Returns a reader for a document without its faulty sections. Such a document need not have a
   * recorder.
   */
  static ConfigReader ofPart(Path file, IniDocument document, Findings findings) {
    return new ConfigReader(file, document, findings, false);
  }

  RecorderConfig read(MachineIdentity identity) throws ConfigException {
    refuseMoreSectionsThanThereCanBe();
    reportUnknownSections();
    if (FileWriteAccess.isEverybodys(file)) {
      findings.warning(1, "every user of this host can write this file", "chmod o-w " + file);
    }
    Deferred<MachineConfig> machine = MachineConfig.read(section(MachineConfig.TABLE), identity);
    Deferred<DatabaseConfig> database = database();
    Deferred<TimingConfig> timing = TimingConfig.read(section(TimingConfig.TABLE));
    Deferred<RedisConfig> redis =
        has(RedisConfig.TABLE) ? RedisConfig.read(section(RedisConfig.TABLE), file) : null;
    Deferred<HttpConfig> http =
        has(HttpConfig.TABLE) ? HttpConfig.read(section(HttpConfig.TABLE), file) : null;
    List<Deferred<RecorderSection>> recorders = recorders();
    Deferred<MetricsConfig> metrics =
        MetricsConfig.read(section(MetricsConfig.TABLE), recorderNames());
    Deferred<LogConfig> log = LogConfig.read(section(LogConfig.TABLE));
    ConfigException.throwIfErrors(findings);
    return new RecorderConfig(
        machine.build(),
        database.build(),
        timing.build(),
        redis == null ? null : redis.build(),
        http == null ? null : http.build(),
        metrics.build(),
        log.build(),
        recorders.stream().map(Deferred::build).toList(),
        file,
        findings.inOrder());
  }

  /**
   * Reads the file for commands on locks and tasks, which need a database or a Redis server, and no
   * recorder.
   */
  LockConfig readForLocks(MachineIdentity identity) throws ConfigException {
    reportUnknownSections();
    Deferred<MachineConfig> machine = MachineConfig.read(section(MachineConfig.TABLE), identity);
    boolean hasRedis = has(RedisConfig.TABLE);
    boolean hasDatabase = has(DatabaseConfig.TABLE);
    Deferred<DatabaseConfig> database = hasDatabase || !hasRedis ? database() : null;
    Deferred<TimingConfig> timing = TimingConfig.read(section(TimingConfig.TABLE));
    Deferred<RedisConfig> redis =
        hasRedis ? RedisConfig.read(section(RedisConfig.TABLE), file) : null;
    eachRecorder();
    ConfigException.throwIfErrors(findings);
    return new LockConfig(
        machine.build(),
        database == null ? null : database.build(),
        timing.build().get(TimingConfig.NETWORK_TIMEOUT),
        redis == null ? null : redis.build(),
        file);
  }

  private Deferred<DatabaseConfig> database() {
    if (has(DatabaseConfig.TABLE)) {
      return DatabaseConfig.read(section(DatabaseConfig.TABLE), file);
    }
    findings.error(
        1,
        "section [%s] is missing".formatted(DatabaseConfig.TABLE.section()),
        "write it, with endpoint, database and user below it");
    return () -> {
      throw new IllegalStateException("no database section");
    };
  }

  private Set<String> recorderNames() {
    return document.sections().keySet().stream()
        .filter(ConfigReader::isRecorder)
        .map(ConfigReader::topic)
        .collect(Collectors.toSet());
  }

  private List<Deferred<RecorderSection>> recorders() {
    List<Deferred<RecorderSection>> recorders = eachRecorder();
    if (recorders.isEmpty() && whole) {
      findings.error(
          1, "there is no recorder", "write a section such as [recorder:orders], with a lockid");
    }
    return recorders;
  }

  private List<Deferred<RecorderSection>> eachRecorder() {
    SectionReader shared = section(S3Config.TABLE);
    S3Config.check(shared);
    List<Deferred<RecorderSection>> recorders = new ArrayList<>();
    Map<Integer, SectionReader> byLockId = new LinkedHashMap<>();
    Map<String, RecorderReader> readers = new LinkedHashMap<>();
    CaptureSections captures = captures();
    for (String name : document.sections().keySet()) {
      if (isRecorder(name)) {
        SectionReader own = section(name);
        boolean hasShared = has(S3Config.TABLE);
        RecorderReader reader = new RecorderReader(file, topic(name), own, captures);
        recorders.add(reader.read(shared, hasShared));
        if (reader.needsRedis() && !has(RedisConfig.TABLE)) {
          own.error(
              RecorderSectionKeys.ELECTION,
              "election = redis, and there is no section [redis]",
              "write it, with the server's endpoint below it");
        }
        reportSharedLockId(byLockId, own);
        SendingTime.check(own, section(TimingConfig.TABLE));
        readers.put(topic(name), reader);
      }
    }
    reportClashes(readers);
    captures.reportUnlisted(readers.keySet());
    return recorders;
  }

  /**
   * Reports a recorder whose name is the name of an index or a sequence of another recorder. The
   * second of the two could not be created, since names of relations are unique in a schema.
   */
  private static void reportClashes(Map<String, RecorderReader> recorders) {
    for (RecorderReader owner : recorders.values()) {
      for (String name : owner.otherNames()) {
        RecorderReader clashing = recorders.get(name);
        if (clashing != null) {
          clashing.clashesWith(owner);
        }
      }
    }
  }

  private CaptureSections captures() {
    return new CaptureSections(
        document.sections().keySet().stream()
            .filter(ConfigReader::isCapture)
            .map(this::section)
            .toList());
  }

  private void reportSharedLockId(Map<Integer, SectionReader> byLockId, SectionReader own) {
    Integer lockId = own.optional(RecorderSectionKeys.LOCKID);
    SectionReader earlier = lockId == null ? null : byLockId.putIfAbsent(lockId, own);
    if (earlier != null) {
      own.error(
          RecorderSectionKeys.LOCKID,
          "lockid = %d again, first in [%s] on line %d"
              .formatted(lockId, earlier.name(), earlier.line(RecorderSectionKeys.LOCKID)),
          "give each recorder a lockid of its own, the same on all hosts");
    }
  }

  /**
   * Refuses files with too many sections before reading them all. There are at most 998 recorders,
   * since each needs a lockid of its own.
   */
  private void refuseMoreSectionsThanThereCanBe() throws ConfigException {
    int most = RecorderSectionKeys.RESERVED_LOCK_ID - 1 + SECTIONS.size();
    refuseMoreThan(most, "sections", name -> !isCapture(name));
    refuseMoreThan(MOST_CAPTURES, "sections [capture:...]", ConfigReader::isCapture);
  }

  private void refuseMoreThan(int most, String what, Predicate<String> which)
      throws ConfigException {
    Optional<IniSection> first =
        document.sections().values().stream()
            .filter(section -> which.test(section.name()))
            .skip(most)
            .findFirst();
    if (first.isPresent()) {
      findings.error(
          first.get().line(), "more than %d %s".formatted(most, what), "leave out what is none");
      ConfigException.throwIfErrors(findings);
    }
  }

  private void reportUnknownSections() {
    for (IniSection section : document.sections().values()) {
      String name = section.name();
      if (!SECTIONS.contains(name) && !isRecorder(name) && !isCapture(name)) {
        findings.error(
            section.line(),
            "unknown section [%s]".formatted(section.writtenAs()),
            suggestion(section.name()));
      }
    }
  }

  private static String suggestion(String unknown) {
    String[] words = unknown.split("[: ./]+", 2);
    if (DidYouMean.among(List.of("recorder"), words[0]).isPresent()) {
      return "did you mean [recorder:%s]?".formatted(words.length > 1 ? words[1] : "NAME");
    }
    if (DidYouMean.among(List.of("capture"), words[0]).isPresent()) {
      return "did you mean [capture:RECORDER/TABLE]?";
    }
    return DidYouMean.among(SECTIONS, unknown)
        .map("did you mean [%s]?"::formatted)
        .orElse(
            "the sections are [%s] and [recorder:NAME]".formatted(String.join("], [", SECTIONS)));
  }

  private boolean has(SettingTable table) {
    return document.has(table.section());
  }

  private SectionReader section(SettingTable table) {
    return section(table.section());
  }

  private SectionReader section(String name) {
    return new SectionReader(document, view, name, findings);
  }

  private static boolean isRecorder(String section) {
    return section.startsWith(RecorderSection.SECTION);
  }

  private static boolean isCapture(String section) {
    return section.startsWith(CaptureSection.SECTION);
  }

  private static String topic(String section) {
    return section.substring(RecorderSection.SECTION.length());
  }
}
