package dev.recorder.machine.term;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BlockedReasonTest {
  private static final Effect LOOK = new Effect.Look(2);
  private static final Effect CHECK = new Effect.CheckIdentity();
  private static final Effect LOAD = new Effect.Load();
  private static final long LATE = BlockedReason.LATE.toNanos();

  private final BlockedReason blockedReason = new BlockedReason();

  @Test
  void whatIsAnsweredInTimeIsNone() {
    blockedReason.begins(LOOK, 0);

    assertThat(blockedReason.at(LATE - 1)).isNull();
    blockedReason.note(LOOK, new Event.Woken());
    assertThat(blockedReason.at(LATE)).isNull();
  }

  @Test
  void whatIsNotAnsweredIsOneThatSaysWhoIsAsked() {
    blockedReason.begins(LOOK, 0);
    assertThat(blockedReason.at(LATE))
        .startsWith("S3 has not answered a look for the next slot yet");

    blockedReason.note(LOOK, new Event.Woken());
    blockedReason.begins(LOAD, LATE);
    assertThat(blockedReason.at(2 * LATE))
        .startsWith("the database has not answered a read of the recorder's row yet");
  }

  @Test
  void anAnswerThatIsNoGoodIsOneUntilTheSameIsAnsweredWell() {
    blockedReason.note(LOOK, new Event.StoreUnclear("HTTP 500"));
    blockedReason.note(CHECK, new Event.Woken());
    blockedReason.note(LOOK, new Event.LeaseEnded());

    assertThat(blockedReason.at(0)).isEqualTo("S3 does not answer properly: HTTP 500");
    blockedReason.note(LOOK, new Event.Woken());
    assertThat(blockedReason.at(0)).isNull();
  }

  /**
   * After a lost answer to a PUT its object is found, and no PUT follows for as long as one likes.
   */
  @Test
  void whatTheWriterMadeProgressWithoutIsNoneAnyMore() {
    blockedReason.note(LOOK, new Event.StoreUnclear("HTTP 500"));
    blockedReason.isOver();

    assertThat(blockedReason.at(0)).isNull();
  }

  @Test
  void ofSeveralTheLatestIsTold() {
    blockedReason.note(LOAD, new Event.DatabaseUnclear("a lock"));
    blockedReason.note(LOOK, new Event.StoreUnclear("HTTP 500"));
    blockedReason.note(LOAD, new Event.DatabaseUnclear("another lock"));
    assertThat(blockedReason.at(0)).endsWith("another lock");

    blockedReason.note(LOAD, new Event.Woken());
    assertThat(blockedReason.at(0)).endsWith("HTTP 500");
  }

  /** Nobody who reads it knows the names of classes. */
  @Test
  void whateverIsAskedHasWordsOfItsOwn() {
    Set<Class<?>> asked =
        Stream.of(Effect.class.getDeclaredClasses())
            .filter(each -> each.isRecord() && !each.equals(Effect.Finish.class))
            .filter(
                each ->
                    Effect.StoreEffect.class.isAssignableFrom(each)
                        || Effect.LedgerEffect.class.isAssignableFrom(each))
            .collect(toSet());

    assertThat(asked).hasSizeGreaterThan(6);
    assertThat(BlockedReason.WORDS.keySet()).isEqualTo(asked);
  }

  @Test
  void theDatabaseIsNamedToo() {
    blockedReason.note(LOAD, new Event.DatabaseUnclear("a lock"));

    assertThat(blockedReason.at(0)).isEqualTo("the database does not answer properly: a lock");
  }
}
