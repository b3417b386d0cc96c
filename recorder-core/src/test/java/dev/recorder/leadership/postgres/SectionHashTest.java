package dev.recorder.leadership.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SectionHashTest {
  private static final SectionHash FULL =
      new SectionHash("0f", new TreeMap<>(Map.of("linger", "a1", "bucket", "b1")));

  @Test
  void isReadAsItIsWritten() {
    assertThat(FULL).hasToString("0f bucket=b1 linger=a1");
    assertThat(SectionHash.parse(FULL.toString())).isEqualTo(FULL);
  }

  @Test
  void whatHasNoKeysIsReadToo() {
    assertThat(SectionHash.parse("0f").whole()).isEqualTo("0f");
    assertThat(SectionHash.parse("0f").keys()).isEmpty();
    assertThat(SectionHash.parse("").keys()).isEmpty();
    assertThat(SectionHash.parse("0f odd").keys()).containsExactly(Map.entry("odd", ""));
  }

  @Test
  void namesKeysThatDifferOrThatOnlySomeHave() {
    assertThat(SectionHash.unlike(List.of(FULL, SectionHash.parse("1f bucket=b2 linger=a1"))))
        .containsExactly("bucket");
    assertThat(SectionHash.unlike(List.of(FULL, SectionHash.parse("1f linger=a1 prefix=c1"))))
        .containsExactly("bucket", "prefix");
    assertThat(SectionHash.unlike(List.of(FULL, FULL))).isEmpty();
  }
}
