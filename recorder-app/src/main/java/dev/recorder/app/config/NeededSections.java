package dev.recorder.app.config;

import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.host.MachineConfig;
import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.app.config.recorder.RecorderSection;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The sections without which a command can do nothing. What is wrong elsewhere in the file, such as
 * in a section that is being edited, does not keep it from its work.
 *
 * @param names as sections are named in a file
 */
public record NeededSections(Set<String> names) {
  public static final NeededSections DATABASE = of(DatabaseConfig.TABLE.section());
  public static final NeededSections REDIS = of(RedisConfig.TABLE.section());

  /** Of a command that also has to know on which host it is. */
  public static final NeededSections DATABASE_AND_HOST =
      of(DatabaseConfig.TABLE.section(), MachineConfig.TABLE.section());

  public NeededSections {
    names = Set.copyOf(names);
  }

  private static NeededSections of(String... names) {
    return new NeededSections(Set.of(names));
  }

  /** The database, these recorders, and the stores of their objects. */
  public static NeededSections ofRecorders(Collection<String> recorders) {
    Set<String> names =
        new HashSet<>(Set.of(DatabaseConfig.TABLE.section(), S3Config.TABLE.section()));
    recorders.forEach(name -> names.add(RecorderSection.SECTION + name));
    return new NeededSections(names);
  }

  boolean include(String section) {
    return names.contains(section)
        || (section.startsWith(CaptureSection.SECTION)
            && names.contains(
                RecorderSection.SECTION
                    + section.substring(CaptureSection.SECTION.length()).split("/", 2)[0]));
  }
}
