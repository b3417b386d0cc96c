package dev.recorder.architecture.broken.machine;

import dev.recorder.lock.redis.RedisSettings;
import dev.recorder.testing.network.Breaks;
import java.time.Duration;

@Breaks("BUILT_RECORDS_ARE_MADE_BY_THEIR_BUILDERS")
final class CountsArguments {
  RedisSettings settings(Duration timeout) {
    return new RedisSettings("host", 6379, null, null, null, timeout);
  }
}
