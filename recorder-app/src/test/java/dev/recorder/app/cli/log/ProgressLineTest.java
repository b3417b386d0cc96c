package dev.recorder.app.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private static final String ERASE = "\r\u001b[K";

  private final StringWriter terminal = new StringWriter();
  private long nanos = -5;
  private final ProgressLine line = new ProgressLine(new PrintWriter(terminal), () -> nanos);

  @Test
  void saysHowFarEachLogIsAndHowFastAllTogether() {
    Progress orders = line.of("orders");
    Progress audit = line.of("audit");
    orders.slots(50, 100, 500_000);
    audit.pages(1, 10, 7);
    pass(Duration.ofSeconds(2));

    orders.pages(100, 100, 1_000_000);

    assertThat(terminal.toString())
        .isEqualTo(
            ERASE
                + "orders 75 % (slot 50 of 100, 500,000 rows); audit 5 % (slot 0 of 0, 0 rows);"
                + " 250,000 rows/s");
  }

  @Test
  void isNotWrittenMoreOftenThanSomebodyReads() {
    Progress orders = line.of("orders");
    for (int i = 0; i < 1_000; i++) {
      orders.slots(i, 1_000, i);
      pass(Duration.ofMillis(1));
    }

    assertThat(terminal.toString().split(ERASE.replace("[", "\\["), -1)).hasSize(5);
  }

  @Test
  void isGoneInTheEnd() {
    Progress orders = line.of("orders");
    pass(Duration.ofSeconds(1));
    orders.slots(1, 1, 1);
    line.finish("orders");
    orders.slots(1, 1, 1);

    assertThat(terminal.toString()).endsWith(" rows/s" + ERASE);
  }

  @Test
  void nothingIsWrittenOfAShortVerification() {
    line.of("orders").slots(1, 1, 1);
    line.finish("orders");

    assertThat(terminal.toString()).isEmpty();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
