package dev.recorder.app.config;

import dev.recorder.app.config.ini.Finding;
import java.util.List;

/**
 * The usable part of a file.
 *
 * @param config without the sections that have faults
 * @param setAside those faults
 */
public record PartialConfig<T>(T config, List<Finding> setAside) {
  public PartialConfig {
    setAside = List.copyOf(setAside);
  }
}
