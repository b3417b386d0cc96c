package dev.recorder.postgres;

import java.util.Locale;

/** What a session is for; the last part of its {@code application_name}. */
enum SessionRole {
  CONTROL,
  DATA,
  LISTEN,
  LOCK,
  QUERY;

  String applicationName(String machine) {
    return "recorder/" + machine + "/" + name().toLowerCase(Locale.ROOT);
  }
}
