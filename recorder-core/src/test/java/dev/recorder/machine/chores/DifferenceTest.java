package dev.recorder.machine.chores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.leadership.postgres.PeerRegistration;
import dev.recorder.leadership.postgres.Registration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DifferenceTest {
  private static final Registration MINE =
      new Registration(
          Set.of(1, 2), Set.of(1), "1.0", "hash", Map.of("timing", "t1", "recorder:orders", "o1"));

  @Test
  void machinesThatAreConfiguredAlikeHaveNone() {
    assertThat(sentences(peer("b", "1.0", Set.of(2), "timing", "t1", "recorder:orders", "o1")))
        .isEmpty();
  }

  @Test
  void aSectionThatDiffersIsNamedOnceWithItsHosts() {
    assertThat(
            sentences(
                peer("b", "1.0", Set.of(), "timing", "t2", "recorder:orders", "o1"),
                peer("c", "1.0", Set.of(), "timing", "t3", "recorder:orders", "o1")))
        .containsExactly(
            "section [timing] differs between this host and b, c: all but the host's name"
                + " and primary should be the same on all hosts");
  }

  @Test
  void keysThatDifferAreNamedWhereBothTellOfThem() {
    Registration mine =
        new Registration(
            Set.of(), Set.of(), "1.0", "hash", Map.of("timing", "t1 lease=a1 watch=b1"));
    PeerRegistration b =
        new PeerRegistration("b", "1.0", Set.of(), Map.of("timing", "t2 lease=a2 watch=b1"));

    assertThat(Difference.all(mine, List.of(b)))
        .extracting(Difference::sentence)
        .containsExactly(
            "section [timing] differs in lease between this host and b: all but the host's"
                + " name and primary should be the same on all hosts");
  }

  @Test
  void aRecorderThatOnlyOneHostHasIsADifferenceThatMayPass() {
    PeerRegistration b = peer("b", "1.0", Set.of(), "timing", "t1", "recorder:invoices", "i1");

    assertThat(Difference.all(MINE, List.of(b)))
        .extracting(Difference::sentence, Difference::passing)
        .containsExactly(
            tuple(
                "this host has [recorder:orders], b has not: all hosts should have the same"
                    + " recorders",
                true),
            tuple(
                "b has [recorder:invoices], this host has not: all hosts should have the same"
                    + " recorders",
                true));
  }

  @Test
  void twoPrimariesAreNamed() {
    assertThat(sentences(peer("b", "1.0", Set.of(1), "timing", "t1", "recorder:orders", "o1")))
        .containsExactly(
            "the recorder with lockid 1 has more than one primary: this host and b; the first"
                + " to come keeps it; leave primary = true on one host only");
  }

  @Test
  void twoVersionsSideBySideAreTold() {
    assertThat(sentences(peer("b", "0.9", Set.of(), "timing", "t1", "recorder:orders", "o1")))
        .containsExactly(
            "this host runs version 1.0, b runs 0.9: they work together; bring both to one"
                + " version soon");
  }

  private static List<String> sentences(PeerRegistration... peers) {
    return Difference.all(MINE, List.of(peers)).stream().map(Difference::sentence).toList();
  }

  private static PeerRegistration peer(
      String name, String version, Set<Integer> primaryFor, String... hashes) {
    return new PeerRegistration(
        name, version, primaryFor, Map.of(hashes[0], hashes[1], hashes[2], hashes[3]));
  }
}
