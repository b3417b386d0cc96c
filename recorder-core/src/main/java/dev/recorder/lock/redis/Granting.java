package dev.recorder.lock.redis;

import java.util.Optional;
import java.util.OptionalLong;

/** Takes a lock's key, and a token. */
interface Granting {
  /**
   * What was granted.
   *
   * @param sentAt before the request was sent that last showed the key to be ours
   */
  record Grant(long token, long sentAt) {}

  /**
   * Takes the key if there is none.
   *
   * @return empty if somebody has it; nothing is left behind then
   * @throws RedisFailure if a request failed and no earlier one set the key
   * @throws dev.recorder.lock.LockException if the key was set but is of no use: the caller gives
   *     it back
   */
  Optional<Grant> take(KeyClaim claim) throws InterruptedException;

  /** Whether Redis counts its tokens itself, in the step that sets the key. */
  boolean countsInRedis();

  /**
   * The token of a lease whose key was gone and has been taken again.
   *
   * @param counted what Redis has counted, if it does
   * @return empty if the key is no longer ours
   * @throws RedisFailure if a request failed
   * @throws dev.recorder.lock.LockException if there is no token
   */
  OptionalLong again(KeyClaim claim, RedisLink link, OptionalLong counted);
}
