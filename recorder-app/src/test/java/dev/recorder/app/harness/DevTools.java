package dev.recorder.app.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.testing.Patience;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A browser's page as its DevTools protocol has it: calls and their answers, and what it says. */
final class DevTools implements WebSocket.Listener {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final List<JsonNode> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger number = new AtomicInteger();
  private final StringBuilder part = new StringBuilder();
  private final WebSocket socket;

  DevTools(HttpClient client, URI page) {
    socket = client.newWebSocketBuilder().buildAsync(page, this).join();
  }

  /** What the page answers to a call. */
  JsonNode call(String method, Map<String, ?> parameters) {
    int id = number.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    asked.put(id, answer);
    try {
      String call =
          JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
      socket.sendText(call, true).join();
      JsonNode said = answer.get(Patience.A_MINUTE.toSeconds(), TimeUnit.SECONDS);
      if (said.has("error")) {
        throw new IllegalStateException(method + ": " + said.get("error"));
      }
      return said.get("result");
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    } catch (InterruptedException | ExecutionException | TimeoutException failed) {
      throw new IllegalStateException(method + " has no answer", failed);
    }
  }

  /** All events of this name that have come so far. */
  List<JsonNode> events(String method) {
    return events.stream()
        .filter(event -> event.get("method").textValue().equals(method))
        .map(event -> event.get("params"))
        .toList();
  }

  void forgetEvents() {
    events.clear();
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    part.append(data);
    if (last) {
      take(part.toString());
      part.setLength(0);
    }
    from.request(1);
    return CompletableFuture.completedFuture(null);
  }

  private void take(String message) {
    try {
      JsonNode said = JSON.readTree(message);
      if (said.has("id")) {
        CompletableFuture<JsonNode> waiting = asked.remove(said.get("id").intValue());
        if (waiting != null) {
          waiting.complete(said);
        }
      } else {
        events.add(said);
      }
    } catch (JsonProcessingException notTheProtocol) {
      throw new UncheckedIOException(notTheProtocol);
    }
  }

  void close() {
    socket.abort();
  }
}
