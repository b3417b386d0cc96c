package dev.recorder.app.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.app.http.HttpAnswer;
import dev.recorder.app.looks.SiteSampler;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The page and its document, by path. Requests never wait. The document is made at most once in
 * {@link #MADE_EVERY}, and served at most {@value RateLimiter#A_SECOND} times a second.
 * Thread-safe.
 */
public final class Page {
  static final String DOCUMENT = "/page.json";
  private static final Duration MADE_EVERY = Duration.ofMillis(100);

  private static final HttpAnswer FULL =
      HttpAnswer.text(503, "too many look at this page; it tries again");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private static final ObjectMapper JSON =
      new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

  private final Supplier<PageDocument> board;
  private final Ticker ticker;
  private final RateLimiter limiter = new RateLimiter();

  @GuardedBy("this")
  private byte[] made = {};

  @GuardedBy("this")
  private long madeAt;

  private Page(Supplier<PageDocument> board, Ticker ticker) {
    this.board = board;
    this.ticker = ticker;
  }

  /**
   * Creates the page that shows the samples of {@code sampler}.
   *
   * @param host the host that serves the page
   */
  public static Page of(String host, String version, MachineMetrics metrics, SiteSampler sampler) {
    Ticker ticker = Ticker.system();
    PageDocumentBuilder.Self self = new PageDocumentBuilder.Self(host, version);
    return new Page(
        () ->
            new PageDocumentBuilder(
                    self, metrics, sampler.viewed(), sampler.curves(), ticker.nanos())
                .make(),
        ticker);
  }

  public Map<String, Supplier<HttpAnswer>> answers() {
    return answers(this::document);
  }

  static Map<String, Supplier<HttpAnswer>> answers(Supplier<HttpAnswer> document) {
    Map<String, Supplier<HttpAnswer>> answers = new LinkedHashMap<>();
    HttpAnswer page = file("page.html");
    answers.put("/", () -> page);
    for (String name :
        new String[] {"page.css", "page.js", "tables.js", "lines.js", "words.js", "icon.svg"}) {
      HttpAnswer file = file(name);
      answers.put("/" + name, () -> file);
    }
    answers.put(DOCUMENT, document);
    return answers;
  }

  private HttpAnswer document() {
    return limiter.pass(ticker.nanos()) ? json(bytes()) : FULL;
  }

  private synchronized byte[] bytes() {
    long now = ticker.nanos();
    if (made.length == 0 || now - madeAt >= MADE_EVERY.toNanos()) {
      made = bytes(board.get());
      madeAt = now;
    }
    return made;
  }

  static byte[] bytes(PageDocument board) {
    try {
      return JSON.writeValueAsString(board).getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static HttpAnswer json(byte[] document) {
    return new HttpAnswer(200, "application/json", document);
  }

  private static HttpAnswer file(String name) {
    try (InputStream file = Page.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("not in the jar: " + name);
      }
      String type = TYPES.get(name.substring(name.indexOf('.') + 1));
      return new HttpAnswer(200, String.valueOf(type), file.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
