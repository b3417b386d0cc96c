package dev.recorder.requests;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request that follows a unit, to build the entity's document once more after a pause.
 *
 * @param times the number of successive follow-ups, this one included
 */
public record FollowUpRequest(int times) {
  private static final Pattern PAYLOAD = Pattern.compile("\\{\"looked\":([1-9][0-9]?)}");

  /** The first pause; each further one is twice as long. */
  private static final Duration SHORTEST = Duration.ofMillis(250);

  private static final Duration LONGEST = Duration.ofSeconds(30);

  private static final int MOST_TIMES = 99;

  /** Returns the follow-up of a unit, one of whose requests may itself be a follow-up. */
  public static FollowUpRequest after(WorkUnit unit) {
    int most =
        unit.requests().stream().mapToInt(request -> times(request.payload())).max().orElse(0);
    return new FollowUpRequest(Math.min(most + 1, MOST_TIMES));
  }

  private static int times(@Nullable String payload) {
    Matcher looked = PAYLOAD.matcher(payload == null ? "" : payload);
    return looked.matches() ? Integer.parseInt(looked.group(1)) : 0;
  }

  public String payload() {
    return "{\"looked\":" + times + "}";
  }

  /** The time until it is due. */
  public Duration pause() {
    Duration doubled = SHORTEST.multipliedBy(1L << Math.min(times - 1, 20));
    return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
  }
}
