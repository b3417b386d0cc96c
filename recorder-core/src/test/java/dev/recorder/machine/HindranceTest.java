package dev.recorder.machine;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HindranceTest {
  private static final Effect LOOK = new Effect.Look(2);
  private static final Effect CHECK = new Effect.CheckIdentity();
  private static final Effect LOAD = new Effect.Load();
  private static final long LATE = Hindrance.LATE.toNanos();

  private final Hindrance hindrance = new Hindrance();

  @Test
  void whatIsAnsweredInTimeIsNone() {
    hindrance.begins(LOOK, 0);

    assertThat(hindrance.at(LATE - 1)).isNull();
    hindrance.note(LOOK, new Event.Woken());
    assertThat(hindrance.at(LATE)).isNull();
  }

  @Test
  void whatIsNotAnsweredIsOneThatSaysWhoIsAsked() {
    hindrance.begins(LOOK, 0);
    assertThat(hindrance.at(LATE))
        .startsWith("S3 has not answered a look for the next slot yet, and");

    hindrance.note(LOOK, new Event.Woken());
    hindrance.begins(LOAD, LATE);
    assertThat(hindrance.at(2 * LATE))
        .startsWith("the database has not answered a read of the recorder's row yet");
  }

  @Test
  void anAnswerThatIsNoGoodIsOneUntilTheSameIsAnsweredWell() {
    hindrance.note(LOOK, new Event.StoreUnclear("HTTP 500"));
    hindrance.note(CHECK, new Event.Woken());
    hindrance.note(LOOK, new Event.LeaseEnded());

    assertThat(hindrance.at(0)).isEqualTo("S3 does not answer properly: HTTP 500");
    hindrance.note(LOOK, new Event.Woken());
    assertThat(hindrance.at(0)).isNull();
  }

  /**
   * After a lost answer to a PUT its object is found, and no PUT follows for as long as one likes.
   */
  @Test
  void whatTheWriterMadeProgressWithoutIsNoneAnyMore() {
    hindrance.note(LOOK, new Event.StoreUnclear("HTTP 500"));
    hindrance.isOver();

    assertThat(hindrance.at(0)).isNull();
  }

  @Test
  void ofSeveralTheLatestIsTold() {
    hindrance.note(LOAD, new Event.DatabaseUnclear("a lock"));
    hindrance.note(LOOK, new Event.StoreUnclear("HTTP 500"));
    hindrance.note(LOAD, new Event.DatabaseUnclear("another lock"));
    assertThat(hindrance.at(0)).endsWith("another lock");

    hindrance.note(LOAD, new Event.Woken());
    assertThat(hindrance.at(0)).endsWith("HTTP 500");
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
    assertThat(Hindrance.WORDS.keySet()).isEqualTo(asked);
  }

  @Test
  void theDatabaseIsNamedToo() {
    hindrance.note(LOAD, new Event.DatabaseUnclear("a lock"));

    assertThat(hindrance.at(0)).isEqualTo("the database does not answer properly: a lock");
  }
}
