package dev.recorder.app.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.testing.AtExit;
import dev.recorder.testing.Patience;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.servers.Installed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Chromium that is installed here, without a window, with a profile of its own, which knows no
 * other host than this one. For one thread.
 */
public final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TestFolder folder = TestFolder.create("browser");
  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final DevTools page;

  private Browser(Path program) throws IOException, InterruptedException {
    Path profile = folder.path().resolve("profile");
    AtExit.register(this);
    ProcessBuilder browser =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--no-proxy-server",
                "--hide-scrollbars",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(folder.path().resolve("browser.log").toFile());
    // It leaves a folder of its own behind when it is killed.
    browser.environment().put("TMPDIR", folder.path().toString());
    process = browser.start();
    page = new DevTools(client, firstPage(profile.resolve("DevToolsActivePort")));
    for (String events : List.of("Page", "Runtime", "Log", "Network")) {
      page.call(events + ".enable", Map.of());
    }
  }

  /** Why there is none available; empty if there is. */
  public static Optional<String> missing() {
    return program().isPresent()
        ? Optional.empty()
        : Optional.of("chromium is not installed (/usr/bin/chromium)");
  }

  /** Starts one with an empty page. */
  public static Browser start() throws IOException, InterruptedException {
    return new Browser(program().orElseThrow());
  }

  private static Optional<Path> program() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Installed::isExecutable)
        .findFirst();
  }

  private URI firstPage(Path portFile) throws IOException, InterruptedException {
    Patience.await("a port of the browser's").until(() -> lines(portFile).size() >= 2);
    URI list = URI.create("http://127.0.0.1:" + lines(portFile).get(0) + "/json/list");
    JsonNode pages =
        JSON.readTree(
            client.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString()).body());
    for (JsonNode each : pages) {
      if (each.get("type").textValue().equals("page")) {
        return URI.create(each.get("webSocketDebuggerUrl").textValue());
      }
    }
    throw new IllegalStateException("no page: " + pages);
  }

  private List<String> lines(Path file) throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "the browser has ended: " + Files.readString(folder.path().resolve("browser.log")));
    }
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** Goes to a page; what its scripts do comes later. */
  public void open(String address) {
    page.call("Page.navigate", Map.of("url", address));
  }

  /** Sends a header with each request from now on. */
  public void header(String name, String value) {
    page.call("Network.setExtraHTTPHeaders", Map.of("headers", Map.of(name, value)));
  }

  /** What an expression gives; a promise is waited for. */
  public JsonNode evaluate(String expression) {
    JsonNode given =
        page.call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (given.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + given.get("exceptionDetails"));
    }
    return given.get("result").path("value");
  }

  /** What is to be read in the first element that fits; empty if there is none to be seen. */
  public String text(String selector) {
    return evaluate(
            "(e => e?.checkVisibility() ? e.innerText : '')(document.querySelector(`%s`))"
                .formatted(selector))
        .asText();
  }

  /** Waits until what is to be read there has this in it. */
  public void await(String selector, String part) {
    Patience.await(selector + " with " + part).until(() -> text(selector).contains(part));
  }

  /** As on a screen of so many points, by day or by night. */
  public void screen(int width, int height, boolean dark) {
    page.call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    Map<String, String> scheme =
        Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
    page.call("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
  }

  /** Presses and lets go of a key, such as {@code Tab} with code 9. */
  public void press(String key, int code) {
    for (String type : List.of("rawKeyDown", "keyUp")) {
      page.call(
          "Input.dispatchKeyEvent",
          Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code));
    }
  }

  /** Keeps a picture of the whole page, as a PNG. */
  public void picture(Path file) throws IOException {
    JsonNode picture =
        page.call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(picture.get("data").textValue()));
  }

  /** Begins anew with what the browser has against pages. */
  public void forget() {
    page.forgetEvents();
  }

  /** What the browser has had against the pages so far: errors, and breaches of their policy. */
  public List<String> complaints() {
    List<String> all = new ArrayList<>();
    page.events("Log.entryAdded").stream()
        .map(event -> event.get("entry"))
        .filter(entry -> entry.get("level").textValue().equals("error"))
        .forEach(entry -> all.add(entry.get("text").textValue()));
    page.events("Runtime.exceptionThrown").forEach(event -> all.add(event.toString()));
    return all;
  }

  @Override
  public void close() throws IOException {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    if (page != null) {
      page.close();
    }
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> each.onExit().join());
    folder.close();
    AtExit.forget(this);
  }
}
