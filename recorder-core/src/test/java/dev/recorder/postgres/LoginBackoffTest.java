package dev.recorder.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoginBackoffTest {
  private final SQLException refusal = new SQLException("wrong password", "28P01");

  private final AtomicLong now = new AtomicLong(7);
  private final LoginBackoff logins = new LoginBackoff(now::get);

  @Test
  void whatIsRefusedIsTriedSeldomAndTheReasonStays() throws Exception {
    int tried = 0;
    for (int second = 0; second < 1800; second++) {
      for (int session = 0; session < 6; session++) {
        try {
          logins.refused(logins.begin("old"), "old", refusal);
          tried++;
        } catch (SQLException early) {
          assertThat(SqlStates.describe(early)).isEqualTo(SqlStates.describe(refusal));
          assertThat(SqlStates.isLoginRefused(early)).isTrue();
        }
      }
      now.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    assertThat(tried).as("in half an hour, by six sessions").isEqualTo(9);
  }

  @Test
  void anotherPasswordIsTriedAtOnce() throws Exception {
    logins.refused(logins.begin("old"), "old", refusal);
    assertThatThrownBy(() -> logins.begin("old")).isInstanceOf(SQLException.class);

    logins.begin("new");
    logins.granted();

    logins.begin("old");
  }

  @Test
  void ofThoseThatWereUnderWayTogetherOneCounts() throws Exception {
    long[] begun = new long[4];
    for (int i = 0; i < begun.length; i++) {
      begun[i] = logins.begin("old");
    }
    now.incrementAndGet();
    for (long each : begun) {
      logins.refused(each, "old", refusal);
    }

    now.addAndGet(Duration.ofSeconds(5).toNanos());
    logins.begin("old");
    assertThatThrownBy(() -> logins.begin("old"))
        .as("one goes first")
        .isInstanceOf(SQLException.class);
  }
}
