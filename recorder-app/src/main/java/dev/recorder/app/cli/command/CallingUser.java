package dev.recorder.app.cli.command;

/** The operating system's name for the user who called a command. It is not authenticated. */
public final class CallingUser {
  private CallingUser() {}

  public static String stated() {
    String user = System.getProperty("user.name", "unknown");
    String before = System.getenv("SUDO_USER");
    return before == null || before.isBlank() ? user : user + ", by sudo of " + before;
  }
}
