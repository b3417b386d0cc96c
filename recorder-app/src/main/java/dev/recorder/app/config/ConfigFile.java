package dev.recorder.app.config;

import dev.recorder.app.config.host.MachineIdentity;
import dev.recorder.app.config.ini.Findings;
import dev.recorder.app.config.ini.IniDocument;
import dev.recorder.app.config.ini.IniEntry;
import dev.recorder.app.config.ini.IniScanner;
import dev.recorder.app.config.ini.IniSection;
import dev.recorder.app.config.ini.TextFile;
import dev.recorder.app.config.ini.TextFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The INI file of one host. */
public final class ConfigFile {
  static final int MAX_BYTES = 1024 * 1024;

  private ConfigFile() {}

  /**
   * Reads and checks the file. Relative paths in it start from its own folder. May look the machine
   * up when the file does not name it, which on some EC2 instances asks the metadata service and
   * then takes up to a second.
   *
   * @throws ConfigException with all findings, when at least one of them is an error
   */
  public static RecorderConfig load(Path file) throws ConfigException {
    return load(file, MachineIdentity.ofThisHost());
  }

  static RecorderConfig load(Path file, MachineIdentity identity) throws ConfigException {
    Findings findings = new Findings(file);
    IniDocument document = IniScanner.scan(text(file, findings), ConfigReader.TABLES, findings);
    return new ConfigReader(file, document, findings).read(identity);
  }

  /** The same as far as it is right, if that has what is needed; else it throws all findings. */
  public static LoadedPart<RecorderConfig> load(Path file, NeededSections needed)
      throws ConfigException {
    return load(file, needed, MachineIdentity.ofThisHost());
  }

  static LoadedPart<RecorderConfig> load(Path file, NeededSections needed, MachineIdentity identity)
      throws ConfigException {
    return new PartialReading(file, needed)
        .read(text(file, new Findings(file)), reader -> reader.read(identity));
  }

  /**
   * The same for commands about locks and tasks, for which a section {@code [postgredb]} or {@code
   * [redis]} is enough.
   */
  public static LoadedPart<LockConfig> loadForLocks(Path file, NeededSections needed)
      throws ConfigException {
    return loadForLocks(file, needed, MachineIdentity.ofThisHost());
  }

  static LoadedPart<LockConfig> loadForLocks(
      Path file, NeededSections needed, MachineIdentity identity) throws ConfigException {
    return new PartialReading(file, needed)
        .read(text(file, new Findings(file)), reader -> reader.readForLocks(identity));
  }

  /**
   * Where the first of these keys stands that a section has, else its header, as {@code file:line}:
   * for faults that show only when what the file names is asked.
   */
  public static String place(Path file, String section, String... keys) {
    Findings findings = new Findings(file);
    try {
      IniSection found =
          IniScanner.scan(text(file, findings), ConfigReader.TABLES, findings).section(section);
      int line =
          Stream.of(keys)
              .flatMap(key -> found.entry(key).stream())
              .mapToInt(IniEntry::line)
              .findFirst()
              .orElse(found.line());
      return file + ":" + line;
    } catch (ConfigException changedMeanwhile) {
      return file.toString();
    }
  }

  /**
   * A file's own path, by whatever link it is named: the same for all that mean the same file.
   * Where there is no file, the path as it is, but absolute.
   */
  public static String realPath(Path file) {
    try {
      return file.toRealPath().toString();
    } catch (IOException notThere) {
      return file.toAbsolutePath().normalize().toString();
    }
  }

  private static String text(Path file, Findings findings) throws ConfigException {
    try {
      return TextFile.read(file, MAX_BYTES);
    } catch (TextFileException unusable) {
      findings.error(unusable.line(), unusable.what(), unusable.help());
      throw new ConfigException(findings.inOrder());
    }
  }
}
