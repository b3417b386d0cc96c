package dev.recorder.app.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.config.host.HttpConfig;
import dev.recorder.app.config.value.Secret;
import dev.recorder.app.harness.Browser;
import dev.recorder.app.http.HttpPort;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.testing.Patience;
import dev.recorder.testing.network.Ports;
import java.io.IOException;
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

  private volatile PageDocument board = ExampleBoard.calm();
  private final int number = Ports.free();
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
    port = open(null);
    browser.screen(1440, 900, false);
    browser.forget();
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

    browser.await("#verdict", "audit: no host has recorded it for 41 s, and 1 more");
    browser.await("#note-list", "no living host is able to take it");
    browser.await("#recorder-rows", "orders");
    assertThat(browser.text("#recorder-rows tr:nth-child(2)")).contains("orders", "host-b", "41 s");
    assertThat(browser.text("#recorder-rows tr:first-child")).contains("audit", "no host");
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
    browser.screen(390, 844, false);
    Patience.await()
        .until(() -> browser.evaluate("document.documentElement.scrollWidth").asInt() <= 390);
    assertThat(
            browser
                .evaluate(
                    "document.querySelector('#hosts').getBoundingClientRect().top"
                        + " < document.querySelector('#takeovers').getBoundingClientRect().top")
                .asBoolean())
        .as("hosts stand above takeovers")
        .isTrue();
    browser.picture(PICTURES.resolve("phone.png"));
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void whatComesFromElsewhereIsShownAsTextAndNothingElse() {
    String hostile = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>\u202e";
    board = ExampleBoard.named(hostile);
    look();

    browser.await("#note-list", hostile);
    browser.await("#recorder-rows", "onerror");
    browser.await("#takeover-rows", "onerror");
    browser.await("#lock-rows", "onerror");
    assertThat(browser.evaluate("window.hacked === undefined").asBoolean()).isTrue();
    assertThat(
            browser.evaluate("document.querySelectorAll('main img, main script').length").asInt())
        .isZero();
    browser.screen(375, 800, true);
    Patience.await("what fits on a phone")
        .until(() -> browser.evaluate("document.documentElement.scrollWidth").asInt() <= 375);
  }

  @Test
  void nothingIsLoadedFromElsewhereAndNoScriptRunsThatIsNoFileOfThePort() {
    look();
    browser.await("#verdict", "All is well");

    JsonNode elsewhere =
        browser.evaluate(
            "performance.getEntriesByType('resource').map(e => e.name)"
                + ".filter(name => !name.startsWith(location.origin + '/'))");
    assertThat(elsewhere).isEmpty();
    assertThat(browser.complaints()).isEmpty();
    browser.evaluate(
        "(() => { const s = document.createElement('script');"
            + " try { s.textContent = 'window.hacked = 1'; } catch (refused) { }"
            + " document.body.append(s, Object.assign(document.createElement('iframe'),"
            + " {src: 'http://127.0.0.1:"
            + number
            + "/'})); })()");
    assertThat(browser.evaluate("window.hacked === undefined").asBoolean()).isTrue();
    assertThat(browser.evaluate("fetch('http://127.0.0.2:1/').then(() => 1, () => 2)").asInt())
        .isEqualTo(2);
    Patience.await().until(() -> browser.complaints().stream().anyMatch(PageIT::isOfThePolicy));
  }

  @Test
  void anEmptyDatabaseIsSaidToBeEmpty() throws IOException {
    board = ExampleBoard.empty();
    look();

    browser.await("#verdict", "Nothing to record yet");
    assertThat(browser.text("#recorders-empty")).contains("No host has registered a recorder");
    assertThat(browser.text("#takeovers-empty")).contains("No takeovers yet");
    assertThat(browser.text("#locks-empty")).contains("No locks are held");
    assertThat(browser.text("#requests")).isEmpty();
    browser.picture(PICTURES.resolve("empty.png"));
  }

  @Test
  void aHostWithoutTheDatabaseSaysThatWhatFollowsIsOld() throws IOException {
    board =
        ExampleBoard.troubled("host-b cannot reach the database, for 12 s: what follows is old");
    look();

    browser.await("#trouble", "cannot reach the database, for 12 s: what follows is old");
    browser.await("#verdict", "Out of touch");
    assertThat(browser.evaluate("document.body.classList.contains('old')").asBoolean()).isTrue();
    browser.picture(PICTURES.resolve("old.png"));
    board = ExampleBoard.calm();
    browser.await("#verdict", "All is well");
    assertThat(browser.text("#trouble")).isEmpty();
    assertThat(browser.evaluate("document.body.classList.contains('old')").asBoolean()).isFalse();
  }

  @Test
  void aHostThatAnswersNoMoreIsSaidNotToAndHeardAgain() throws IOException {
    look();
    browser.await("#verdict", "All is well");
    port.close();

    browser.await("#trouble", "host-b does not answer, for ");
    browser.await("#verdict", "Out of touch");
    port = open(null);
    browser.await("#verdict", "All is well");
  }

  @Test
  void aTakeoverIsDrawnIntoThePageThatIsOpen() {
    board = ExampleBoard.named("host-a");
    look();
    browser.await("#recorder-rows td", "host-a");

    board = ExampleBoard.calm();

    browser.await("#takeover-rows", "412 ms");
    browser.await("#recorder-rows", "orders");
    assertThat(browser.text("#recorder-rows tr:nth-child(2) td")).contains("host-b");
    assertThat(browser.text("#recorder-rows")).doesNotContain("host-a");
  }

  @Test
  void theTimeLineIsChosenByKeyboard() {
    look();
    browser.await("#verdict", "All is well");
    assertThat(marks()).isEqualTo(5);
    browser.evaluate("document.querySelector('input[name=range]:checked').focus()");

    browser.press("ArrowRight", 39);

    Patience.await("the mark of three hours ago").until(() -> marks() == 6);
    assertThat(browser.evaluate("location.hash").asText()).isEqualTo("#24h");
  }

  private int marks() {
    return browser.evaluate("document.querySelectorAll('#timeline rect.mark').length").asInt();
  }

  @Test
  void withATokenItIsShownToWhoeverHasIt() throws IOException {
    port.close();
    port = open(new Secret(TOKEN));
    look();
    Patience.await("a refusal")
        .until(() -> browser.complaints().stream().anyMatch(text -> text.contains("401")));
    assertThat(browser.text("#verdict")).isEmpty();

    String pair = "anybody:" + TOKEN;
    String given = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    browser.header("Authorization", "Basic " + given);
    look();

    browser.await("#verdict", "All is well");
    browser.header("Accept-Language", "en");
  }

  private static boolean isOfThePolicy(String complaint) {
    return complaint.contains("Security Policy");
  }
}
