package dev.recorder.app.page;

import dev.recorder.operate.Takeover;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the database now.
 *
 * @param look the last that succeeded; null before the first
 * @param at when it had ended, on a ticker
 * @param takeovers the latest receipts, latest first; may be younger than the look
 * @param ok whether the last look or glance succeeded
 * @param why what it failed with; empty if it has not, or there is nothing to say
 */
record BoardState(
    @Nullable BoardLook look, long at, List<Takeover> takeovers, boolean ok, String why) {
  static final BoardState NONE = new BoardState(null, 0, List.of(), false, "");

  BoardState {
    takeovers = List.copyOf(takeovers);
  }

  BoardState with(List<Takeover> receipts) {
    return new BoardState(look, at, receipts, ok, why);
  }

  BoardState outdated(String cause) {
    return new BoardState(look, at, takeovers, false, cause);
  }
}
