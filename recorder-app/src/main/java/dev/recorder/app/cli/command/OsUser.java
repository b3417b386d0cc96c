package dev.recorder.app.cli.command;

/** Who calls a command, by their own account. */
public final class OsUser {
  private OsUser() {}

  /** As the operating system says it, and who became that user. */
  public static String stated() {
    String user = System.getProperty("user.name", "unknown");
    String before = System.getenv("SUDO_USER");
    return before == null || before.isBlank() ? user : user + ", by sudo of " + before;
  }
}
