package dev.recorder.lock.redis;

import java.util.Optional;
import java.util.OptionalLong;

/** Takes a lock's key and draws a token. */
interface KeyAcquisition {
  /**
   * A granted key.
   *
   * @param sentAt when the last request was sent that showed the key to be held
   */
  record Grant(long token, long sentAt) {}

  /**
   * Takes the key if it does not exist.
   *
   * @return empty if another holder has the key; no trace is left then
   * @throws RedisFailure if a request failed and no earlier request set the key
   * @throws dev.recorder.lock.LockException if the key was set but cannot be used; the caller gives
   *     it back
   */
  Optional<Grant> take(KeyClaim claim) throws InterruptedException;

  /** Whether Redis counts the tokens, in the step that sets the key. */
  boolean countsInRedis();

  /**
   * Returns the new token of a lease whose lost key was taken again.
   *
   * @param counted the count of Redis, if Redis counts
   * @return empty if the key is no longer held
   * @throws RedisFailure if a request failed
   * @throws dev.recorder.lock.LockException if no token can be drawn
   */
  OptionalLong again(KeyClaim claim, RedisLink link, OptionalLong counted);

  /** Has Redis count in the step that sets the key, which takes one round trip. */
  record RedisTokens(RedisContext site, RedisLinks links) implements KeyAcquisition {
    @Override
    public Optional<Grant> take(KeyClaim claim) throws InterruptedException {
      long sentAt = site.nanos();
      long expiry = site.options().expiry().toMillis();
      OptionalLong token = links.call(link -> link.takeWithToken(claim, expiry));
      return token.isPresent()
          ? Optional.of(new Grant(token.getAsLong(), sentAt))
          : Optional.empty();
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
}
