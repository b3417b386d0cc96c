package dev.recorder.app.config;

import dev.recorder.app.config.ini.Finding;
import java.util.List;

/**
 * The usable part of a file.
 *
 * @param config the configuration without the sections that have faults
 * @param setAside the faults of the sections that were left out
 */
public record PartialConfig<T>(T config, List<Finding> setAside) {
  public PartialConfig {
    setAside = List.copyOf(setAside);
  }
}
