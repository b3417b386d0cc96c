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

/** Loads the INI file of one host. */
public final class ConfigFile {
  static final int MAX_BYTES = 1024 * 1024;

  private ConfigFile() {}

  /**
   * Reads and checks the file. Relative paths in the file are relative to its folder. If the file
   * does not name the host, looks the name up. On some EC2 instances the look-up asks the metadata
   * service and takes up to a second.
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
   * Reads the file, and leaves out sections with faults.
   *
   * @throws ConfigException with all findings, if a section in {@code needed} has a fault
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
   * Reads the file for commands on locks and tasks, which need only {@code [postgredb]} or {@code
   * [redis]}. Leaves out sections with faults.
   *
   * @throws ConfigException with all findings, if a section in {@code needed} has a fault
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
   * Returns a place in the file as {@code file:line}: the first of {@code keys} that the section
   * has, or else its header. It helps to report faults that only a server or a program reveals.
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
   * Returns the file's path without symbolic links, so that all names of one file give the same
   * path. If there is no file, returns the absolute path.
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
