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
 * The sections that a command needs. Faults in other sections do not stop the command.
 *
 * @param names the sections' names in the file
 */
public record RequiredSections(Set<String> names) {
  public static final RequiredSections DATABASE = of(DatabaseConfig.TABLE.section());
  public static final RequiredSections REDIS = of(RedisConfig.TABLE.section());

  /** The sections for a command that also needs the host's name. */
  public static final RequiredSections DATABASE_AND_HOST =
      of(DatabaseConfig.TABLE.section(), MachineConfig.TABLE.section());

  public RequiredSections {
    names = Set.copyOf(names);
  }

  private static RequiredSections of(String... names) {
    return new RequiredSections(Set.of(names));
  }

  /** Returns the sections of the database, of these recorders and of their stores. */
  public static RequiredSections ofRecorders(Collection<String> recorders) {
    Set<String> names =
        new HashSet<>(Set.of(DatabaseConfig.TABLE.section(), S3Config.TABLE.section()));
    recorders.forEach(name -> names.add(RecorderSection.SECTION + name));
    return new RequiredSections(names);
  }

  boolean include(String section) {
    return names.contains(section)
        || (section.startsWith(CaptureSection.SECTION)
            && names.contains(
                RecorderSection.SECTION
                    + section.substring(CaptureSection.SECTION.length()).split("/", 2)[0]));
  }
}
