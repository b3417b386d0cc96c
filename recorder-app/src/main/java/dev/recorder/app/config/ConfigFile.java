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
   * Reads and checks the file. Relative paths in it are relative to its folder. If the file does
   * not name the host, its name is looked up; on some EC2 instances that asks the metadata service
   * and takes up to a second.
   *
   * @throws ConfigException with all findings, if at least one of them is an error
   */
  public static RecorderConfig load(Path file) throws ConfigException {
    return load(file, MachineIdentity.ofThisHost());
  }

  static RecorderConfig load(Path file, MachineIdentity identity) throws ConfigException {
    Findings findings = new Findings(file);
    IniDocument document = IniScanner.scan(text(file, findings), ConfigReader.TABLES, findings);
    return new ConfigReader(file, document, findings).read(identity);
  }

  /**
   * Reads the sections that have no faults.
   *
   * @throws ConfigException with all findings, if a needed section has a fault
   */
  public static PartialConfig<RecorderConfig> load(Path file, RequiredSections needed)
      throws ConfigException {
    return load(file, needed, MachineIdentity.ofThisHost());
  }

  static PartialConfig<RecorderConfig> load(
      Path file, RequiredSections needed, MachineIdentity identity) throws ConfigException {
    return new LenientReader(file, needed)
        .read(text(file, new Findings(file)), reader -> reader.read(identity));
  }

  /**
   * The same for commands on locks and tasks, which need only {@code [postgredb]} or {@code
   * [redis]}.
   */
  public static PartialConfig<LockConfig> loadForLocks(Path file, RequiredSections needed)
      throws ConfigException {
    return loadForLocks(file, needed, MachineIdentity.ofThisHost());
  }

  static PartialConfig<LockConfig> loadForLocks(
      Path file, RequiredSections needed, MachineIdentity identity) throws ConfigException {
    return new LenientReader(file, needed)
        .read(text(file, new Findings(file)), reader -> reader.readForLocks(identity));
  }

  /**
   * The place of the first of these keys that the section has, else of its header, as {@code
   * file:line}. It is for faults that only the server or program named in the file reveals.
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
   * The file's path without symbolic links, the same for all names of one file. If there is no
   * file, the absolute path.
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
