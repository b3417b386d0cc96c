package dev.recorder.app.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.status.StatusScreen.Shot;
import dev.recorder.time.Ticker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Looks that are drawn until nobody reads them. */
class StatusWatchTest {
  private static final Shot SHOT =
      new Shot(Instant.parse("2026-11-23T12:00:00Z"), List.of(), "host-a yes\n");

  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void whatWasSeenStaysOnTheScreenWhileTheDatabaseIsAway() throws Exception {
    Screen screen = new Screen("old: the database is away");

    watch(
            () -> {
              if (looks.incrementAndGet() > 1) {
                throw CommandFailure.tryLater("the database is away");
              }
              return SHOT;
            })
        .run(screen.writer());

    assertThat(screen.last).contains("as of 2026-11-23 12:00:00Z", "this is ", "host-a yes");
  }

  @Test
  void aDefectEndsItAsAnyOther() {
    StatusWatch watch =
        watch(
            () -> {
              throw new IllegalStateException("a bug");
            });

    assertThatThrownBy(() -> watch.run(new Screen("never").writer())).hasMessage("a bug");
  }

  private static StatusWatch watch(StatusWatch.StatusSource look) {
    return new StatusWatch(look, () -> TerminalSize.UNLIMITED, Ticker.system());
  }

  /** Somebody who reads until they have seen what they wanted. */
  private static final class Screen extends Writer {
    private final String wanted;
    private String last = "";

    Screen(String wanted) {
      this.wanted = wanted;
    }

    PrintWriter writer() {
      return new PrintWriter(this);
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      if (last.contains(wanted)) {
        throw new IOException("nobody reads any more");
      }
      last = new String(text, from, length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
