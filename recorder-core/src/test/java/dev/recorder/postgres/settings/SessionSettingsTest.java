package dev.recorder.postgres.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.settings.SessionSettings.SessionLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SessionSettingsTest {
  private static final SessionLimits LIMITS =
      new SessionLimits(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(7));

  @ParameterizedTest
  @EnumSource
  void everySessionPinsItsPathAndCompilesNothing(SessionKind kind) {
    assertThat(values(kind))
        .containsEntry("search_path", "pg_catalog, pg_temp")
        .containsEntry("jit", "off")
        .containsEntry("default_transaction_isolation", "read committed")
        .containsEntry("row_security", "off")
        .containsEntry("array_nulls", "on")
        .containsEntry("quote_all_identifiers", "off")
        .containsKey("idle_session_timeout");
  }

  /** A replay's tables belong to the role that its sessions are given. */
  @ParameterizedTest
  @EnumSource
  void everySessionHasItsOwnRoleButThatOfAReplay(SessionKind kind) {
    assertThat(values(kind).get("role")).isEqualTo(kind == SessionKind.REPLAY ? null : "none");
  }

  @ParameterizedTest
  @EnumSource
  void theServerGivesUpBeforeTheClientDoes(SessionKind kind) {
    long answer = kind.answerWithin(LIMITS.network()).toMillis();
    String limit = values(kind).get("statement_timeout");
    if (Set.of(SessionKind.QUERY, SessionKind.REPLAY).contains(kind)) {
      assertThat(limit).isEqualTo("0"); // Commands take as long as they take, whatever a role has.
    } else {
      assertThat(Long.parseLong(limit)).isPositive().isLessThan(answer);
    }
  }

  @Test
  void sessionsWithLocksEndWhenTheyAreSilent() {
    assertThat(values(SessionKind.CONTROL)).containsEntry("idle_session_timeout", "3000");
    assertThat(values(SessionKind.LOCKS))
        .containsEntry("idle_session_timeout", "3000")
        .containsEntry("lock_timeout", "7000");
  }

  @Test
  void aCommandWaitsForALockAsLongAsItIsGiven() {
    for (SessionKind kind : new SessionKind[] {SessionKind.QUERY, SessionKind.ASK}) {
      assertThat(values(kind)).containsEntry("lock_timeout", "7000");
    }
  }

  @Test
  void aUnitOfWorkMayBeSilentForItsOwnTime() {
    assertThat(values(SessionKind.WORKER))
        .containsEntry("idle_in_transaction_session_timeout", "7000");
  }

  /** What a function or one transaction has is not a session's. */
  private static final Pattern SET_FOR_A_SESSION =
      Pattern.compile(
          "(?i)(\"|\"\"\"\\s+|; )SET (?!LOCAL)\\w+ (=|TO) |set_config\\('\\w+',[^;]*, false\\)");

  @Test
  void whatASessionSetsLaterThanAtItsStartStandsInOnePlace() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java/dev/recorder"))) {
      assertThat(files.filter(SessionSettingsTest::setsSomething))
          .extracting(file -> file.getFileName().toString())
          .containsExactly("SettingOverrides.java");
    }
  }

  private static boolean setsSomething(Path file) {
    try {
      return file.toString().endsWith(".java")
          && !file.getParent().endsWith("script") // Its functions have settings of their own.
          && !file.endsWith("PsqlPreamble.java") // It is for sessions of psql.
          && SET_FOR_A_SESSION.matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> values(SessionKind kind) {
    return SessionSettings.of(kind, LIMITS).values();
  }
}
