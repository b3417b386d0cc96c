package dev.recorder.app.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.config.HttpConfig;
import dev.recorder.app.config.Secret;
import dev.recorder.app.harness.Browser;
import dev.recorder.app.http.HttpPort;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page in a real browser, with documents as hosts might send them. */
@Timeout(600)
class PageIT {
  private static final Path PICTURES = Path.of("target", "page");
  private static final String TOKEN = "0123456789abcdef";

  private static @Nullable Browser browser;

  private volatile Board board = ExampleBoard.calm();
  private int number;
  private HttpPort port;

  @BeforeAll
  static void startTheBrowser() throws Exception {
    Browser.missing().ifPresent(why -> assumeTrue(false, "the page is not looked at: " + why));
    browser = Browser.start();
  }

  @AfterAll
  static void endTheBrowser() throws IOException {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void open() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      number = free.getLocalPort();
    }
    port = open(null);
    browser.screen(1440, 900, false);
  }

  private HttpPort open(@Nullable Secret token) throws IOException {
    return HttpPort.open(
        new HttpConfig("127.0.0.1:" + number, token),
        new MachineMetrics(System::nanoTime, List.of()),
        Page.answers(() -> Page.json(Page.bytes(board))));
  }

  @AfterEach
  void close() {
    browser.open("about:blank");
    port.close();
  }

  private void look() {
    browser.open("http://127.0.0.1:" + number + "/");
  }

  @Test
  void itShowsHowThingsAreByDayByNightAndInOneHand() throws IOException {
    board = ExampleBoard.busy();
    look();

    browser.await("#verdict", "1 critical, 1 warning");
    browser.await("#note-list", "no living host is able to take it");
    browser.await("#recorder-rows", "orders");
    assertThat(browser.text("#recorder-rows tr:nth-child(2)")).contains("orders", "host-b", "41 s");
    assertThat(browser.text("#recorder-rows tr:first-child")).contains("audit", "nobody");
    assertThat(browser.text("#takeover-rows tr:first-child"))
        .contains("orders", "host-a", "host-b", "died", "412 ms");
    assertThat(browser.text("#host-rows")).contains("host-a", "gone");
    assertThat(browser.text("#request-rows")).contains("customers", "18,402");
    assertThat(browser.text("#lock-rows")).contains("nightly-report", "waiting");
    assertThat(browser.evaluate("document.querySelectorAll('#timeline rect.mark').length").asInt())
        .isEqualTo(6);
    browser.picture(PICTURES.resolve("light.png"));
    browser.screen(1440, 900, true);
    browser.picture(PICTURES.resolve("dark.png"));
    browser.screen(375, 800, false);
    Patience.await()
        .until(() -> browser.evaluate("document.documentElement.scrollWidth").asInt() <= 375);
    browser.picture(PICTURES.resolve("phone.png"));
    assertThat(browser.complaints()).isEmpty();
  }
}
