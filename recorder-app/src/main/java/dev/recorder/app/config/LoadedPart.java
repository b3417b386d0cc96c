package dev.recorder.app.config;

import dev.recorder.app.config.ini.Finding;
import java.util.List;

/**
 * What was read of a file for a command.
 *
 * @param config without the sections that have faults
 * @param setAside those faults
 */
public record LoadedPart<T>(T config, List<Finding> setAside) {
  public LoadedPart {
    setAside = List.copyOf(setAside);
  }
}
