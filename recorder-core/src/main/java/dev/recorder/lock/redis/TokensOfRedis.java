package dev.recorder.lock.redis;

import java.util.Optional;
import java.util.OptionalLong;

/** Lets the server count in the same step in which it sets the key: one round trip. */
record TokensOfRedis(RedisContext site, RedisLinks links) implements Granting {

  @Override
  public Optional<Grant> take(KeyClaim claim) throws InterruptedException {
    long sentAt = site.nanos();
    long expiry = site.options().expiry().toMillis();
    OptionalLong token = links.call(link -> link.takeWithToken(claim, expiry));
    return token.isPresent() ? Optional.of(new Grant(token.getAsLong(), sentAt)) : Optional.empty();
  }

  @Override
  public boolean countsInRedis() {
    return true;
  }

  @Override
  public OptionalLong again(KeyClaim claim, RedisLink link, OptionalLong counted) {
    return counted;
  }
}
