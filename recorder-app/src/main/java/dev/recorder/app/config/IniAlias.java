package dev.recorder.app.config;

/**
 * Second spellings that are accepted. Resolved while scanning, so that both spellings together are
 * found by the same check that finds any duplicate.
 */
final class IniAlias {
  private IniAlias() {}

  static String section(String name) {
    return name.equals("postgresdb") ? DatabaseConfig.SECTION : name;
  }

  static String key(String section, String key) {
    boolean host = section.equals(DatabaseConfig.SECTION) && key.equals("host");
    return host ? DatabaseConfig.ENDPOINT.key() : key;
  }
}
