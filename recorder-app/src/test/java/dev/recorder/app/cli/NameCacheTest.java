package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NameCacheTest {
  private static final String TTL = "networkaddress.cache.ttl";
  private static final String NEGATIVE = "networkaddress.cache.negative.ttl";

  /** The JDK's file has a line for one of the two. */
  private static final Map<String, String> OF_THE_JDK = Map.of(NEGATIVE, "10");

  @Test
  void anAnswerLivesFiveSeconds() {
    assertThat(NameCache.limits(OF_THE_JDK::get, name -> null))
        .isEqualTo(Map.of(TTL, "5", NEGATIVE, "5"));
  }

  @Test
  void whatTheOperatorsSecurityFileSaysStands() {
    assertThat(NameCache.limits(Map.of(TTL, "60", NEGATIVE, "0")::get, name -> null)).isEmpty();
  }

  @Test
  void soDoesWhatTheCommandLineSays() {
    Map<String, String> line =
        Map.of("sun.net.inetaddr.ttl", "60", "sun.net.inetaddr.negative.ttl", "1");

    assertThat(NameCache.limits(OF_THE_JDK::get, line::get)).isEmpty();
  }
}
