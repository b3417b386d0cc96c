package dev.recorder.app.logs;

import dev.recorder.logging.NamedEvent;

/**
 * The events that the daemon logs besides those of the library. docs/logs.md describes each event.
 */
public enum AppEvent implements NamedEvent {
  STARTING("version machine file configuration"),
  CONFIGURATION_DOUBTFUL("finding"),
  SIGHUP_IGNORED(""),
  LOG_FORMAT_NOT_USED(""),
  RELOADING("file"),
  RELOAD_ORDERED("- file by dry_run"),
  RESTART_NEEDED("what"),
  CONFIGURATION_CHANGED("configuration"),
  CONFIGURATION_REFUSED("finding"),
  HTTP_PORT_OPEN("listen"),
  HTTP_PORT_NOT_HAD("listen why"),
  SERVICE_MANAGER_NOT_TOLD("why"),
  FATAL_ERROR("");

  private final String arguments;

  AppEvent(String arguments) {
    this.arguments = arguments;
  }

  @Override
  public String arguments() {
    return arguments;
  }
}
