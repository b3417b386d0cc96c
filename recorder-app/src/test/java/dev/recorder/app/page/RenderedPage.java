package dev.recorder.app.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.recorder.app.page.BoardMaker.Self;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.Diagnosis;
import java.util.List;
import java.util.Map;

/** A site as the page of host {@code b} shows it. */
public final class RenderedPage {
  private static final long NOW = 100_000_000_000L;

  private RenderedPage() {}

  /** The document that the page asks for. */
  public static String json(Diagnosis site) {
    MachineMetrics metrics = new MachineMetrics(() -> NOW, List.of("died"));
    metrics.registered(true);
    metrics.heartbeats(() -> 1_000_000_000L, () -> NOW);
    BoardLook look = new BoardLook(site, Map.of(), Map.of(), SeenLocks.NONE);
    BoardState state = new BoardState(look, NOW, List.of(), true, "");
    Board board = new BoardMaker(new Self("b", "1.0"), metrics, state, new Curves(), NOW).make();
    try {
      return new ObjectMapper()
          .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .writeValueAsString(board);
    } catch (JsonProcessingException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
