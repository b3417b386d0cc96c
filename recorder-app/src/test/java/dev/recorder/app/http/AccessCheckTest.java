package dev.recorder.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.value.Secret;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessCheckTest {
  private static final String TOKEN = "0123456789abcdef";

  private final AccessCheck open = new AccessCheck(null);
  private final AccessCheck locked = new AccessCheck(new Secret(TOKEN));

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1:9747", "[::1]:9747", "LocalHost:1"})
  void withoutATokenItIsOpenForWhoeverNamesThisHost(String host) {
    assertThat(open.refusal(ask(host, null))).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:9747"})
  void withoutATokenItIsClosedForAPageOfAnotherSite(String host) {
    assertThat(open.refusal(ask(host, null))).extracting(HttpAnswer::status).isEqualTo(403);
  }

  @Test
  void withoutATokenItIsClosedForWhoeverNamesNobody() {
    assertThat(open.refusal(ask(null, null))).extracting(HttpAnswer::status).isEqualTo(403);
  }

  @Test
  void aTokenOpensItAsABearersOrAsAnybodysPassword() {
    assertThat(locked.refusal(ask("any.example", "Bearer " + TOKEN))).isNull();
    assertThat(locked.refusal(ask("any.example", "Basic " + base64("user:" + TOKEN)))).isNull();
    assertThat(locked.refusal(ask("any.example", "basic " + base64(":" + TOKEN)))).isNull();
  }

  /** Who sends the name of a user in another encoding sends the same token: that is ASCII. */
  @Test
  void whatTheUserIsCalledDoesNotMatterNorHowThatIsEncoded() {
    for (Charset each : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
      byte[] pair = ("jürgen\u00e9:" + TOKEN).getBytes(each);
      String given = "Basic " + Base64.getEncoder().encodeToString(pair);
      assertThat(locked.refusal(ask("any.example", given))).as("%s", each).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer 0123456789abcdeF",
        "Bearer 0123456789abcdef0",
        "0123456789abcdef",
        "Basic 0123456789abcdef",
        "Basic ???",
        "Digest 0123456789abcdef"
      })
  void anythingElseDoesNot(String authorization) {
    assertThat(locked.refusal(ask("localhost", authorization)))
        .extracting(HttpAnswer::status)
        .isEqualTo(401);
  }

  @Test
  void nothingGivenDoesNotOpenIt() {
    assertThat(locked.refusal(ask("localhost", null)))
        .extracting(HttpAnswer::status)
        .isEqualTo(401);
  }

  private static HttpQuery ask(@Nullable String host, @Nullable String authorization) {
    return new HttpQuery("GET", "/metrics", host, authorization);
  }

  private static String base64(String pair) {
    return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }
}
