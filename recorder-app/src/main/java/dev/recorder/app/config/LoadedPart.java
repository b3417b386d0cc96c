package dev.recorder.app.config;

import dev.recorder.app.config.ini.Finding;
import java.util.List;

/**
 * The usable part of a file.
 *
 * @param config without the sections that have faults
 * @param setAside those faults
 */
public record LoadedPart<T>(T config, List<Finding> setAside) {
  public LoadedPart {
    setAside = List.copyOf(setAside);
  }
}
