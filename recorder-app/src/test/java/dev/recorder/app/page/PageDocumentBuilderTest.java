package dev.recorder.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.page.PageDocument.BoardRecorder;
import dev.recorder.app.page.PageDocument.HostRow;
import dev.recorder.app.page.PageDocument.NoteRow;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PageDocumentBuilderTest {
  private static BoardRecorder orders(PageDocument board) {
    return board.recorders().stream()
        .filter(recorder -> recorder.name().equals("orders"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aCalmBoardSaysWhoIsActiveAndWhoCouldBe() {
    PageDocument board = Known.calm().board();

    assertThat(board.trouble()).isNull();
    assertThat(board.worst()).isNull();
    assertThat(board.ageMs()).isEqualTo(300);
    assertThat(board.counts()).isEqualTo(new PageDocument.BoardCounts(0, 2, 2, 1, 1, 0));
    BoardRecorder orders = orders(board);
    assertThat(orders.state()).isEqualTo("active");
    assertThat(orders.holder()).isEqualTo("host-a");
    assertThat(orders.others()).containsExactly("host-b");
    assertThat(orders.sinceMs()).isEqualTo(60_300);
    assertThat(orders.settledMs()).isEqualTo(5_300);
    assertThat(orders.rate()).isEqualTo(12.5);
    assertThat(board.hosts()).extracting(HostRow::self).containsExactly(false, true);
    assertThat(board.hosts().get(0).active()).containsExactly("orders");
  }

  @Test
  void aHostThatIsBackWithoutItsTermDoesNotRecord() {
    RecorderFacts left =
        new RecorderFacts(
            Known.log("orders", 1, "host-a", null).status(),
            Known.AT.minusSeconds(3600),
            Known.AT.minusSeconds(110),
            null,
            null,
            null,
            null,
            null);

    PageDocument board =
        Known.calm().with(Known.host("host-a", 0, true, List.of())).with(left).board();

    assertThat(orders(board).state()).isEqualTo("nobody");
    assertThat(orders(board).sinceMs()).isEqualTo(110_300);
    assertThat(board.counts().recorded()).isZero();
  }

  @Test
  void oneThatIsStuckIsNotAtWork() {
    HostFacts well = Known.host("host-a", 0, true, List.of(1));
    HostFacts stuck =
        new HostFacts(well.status(), true, Set.of(1), well.sections(), well.conditions());

    assertThat(Known.calm().board().counts().recorded()).isOne();
    PageDocument board = Known.calm().with(stuck).board();
    assertThat(orders(board).state()).isEqualTo("stuck");
    assertThat(board.counts().recorded()).isZero();
  }

  @Test
  void aRecorderThatIsPausedOrAboutToMoveSaysSo() {
    PausedRecorder paused = new PausedRecorder(Known.AT.plusSeconds(600), "moves", null, null);
    Known known = Known.calm();
    RecorderFacts orders = Known.log("orders", 1, "host-a", null);

    assertThat(orders(known.with(facts(orders, null, paused)).board()).state()).isEqualTo("paused");
    assertThat(orders(known.with(facts(orders, "host-b", null)).board()).state())
        .isEqualTo("moving");
  }

  private static RecorderFacts facts(
      RecorderFacts of, @Nullable String switchTo, @Nullable PausedRecorder paused) {
    return new RecorderFacts(
        of.status(),
        of.begunAt(),
        of.lastSign(),
        switchTo,
        switchTo == null ? null : "operator",
        of.oldestWaiting(),
        paused,
        null);
  }

  @Test
  void whatThisHostHasTakenOverIsSeenBeforeAnyLook() {
    Known known = Known.calm();
    known.metrics.log("orders").tookOver("died", 8, Duration.ofMillis(120));
    known.metrics.log("orders").writes(() -> true, () -> 0);

    BoardRecorder orders = orders(known.board());

    assertThat(orders.holder()).isEqualTo("host-b");
    assertThat(orders.epoch()).isEqualTo(8);
    assertThat(orders.others()).doesNotContain("host-b");
  }

  @Test
  void anEarlierTermOfThisHostIsNotTakenForThePresentOne() {
    Known known = Known.calm();
    known.metrics.log("orders").tookOver("died", 6, Duration.ofMillis(120));
    known.metrics.log("orders").writes(() -> true, () -> 0);

    assertThat(orders(known.board()).holder()).isEqualTo("host-a");
  }

  @Test
  void aReceiptThatIsYoungerThanTheLookCounts() {
    PageDocument board = Known.calm().takenOver("host-c", 8).since(Duration.ofMillis(800)).board();

    assertThat(orders(board).holder()).isEqualTo("host-c");
    assertThat(orders(board).state()).isEqualTo("active");
    assertThat(board.takeovers().get(0).agoMs()).isEqualTo(300);
    assertThat(board.takeovers().get(0).gapMs()).isEqualTo(120);
  }

  @Test
  void aReceiptThatTheLookKnowsSaysNothingNew() {
    Known known = Known.calm().takenOver("host-c", 7);

    assertThat(orders(known.board()).holder()).isEqualTo("host-a");
  }

  @Test
  void nobodyHasWhatAHostHadThatIsGone() {
    PageDocument board = Known.calm().with(Known.host("host-a", 30, false, List.of(1))).board();

    assertThat(orders(board).state()).isEqualTo("nobody");
    assertThat(orders(board).holder()).isEqualTo("host-a");
    assertThat(board.counts().recorded()).isZero();
    assertThat(board.worst()).isEqualTo("critical");
    assertThat(board.hosts()).extracting(HostRow::state).containsExactly("alive", "gone");
  }

  @Test
  void aRetiredLogIsNoTroubleAndIsCountedOnNeitherSide() {
    RecorderStatus settled = new RecorderStatus("old", 2, "log", null, 7, 1, 41, null, null);

    PageDocument board =
        Known.calm()
            .with(new RecorderFacts(settled, null, Known.AT, null, null, null, null, null))
            .board();

    assertThat(board.recorders()).extracting(BoardRecorder::state).contains("retired");
    assertThat(board.counts().recorders()).isOne();
    assertThat(board.counts().recorded()).isOne();
    assertThat(board.counts().retired()).isOne();
  }

  @Test
  void hostsThatHaveBeenGoneForLongAreLeftOut() {
    PageDocument board = Known.calm().with(Known.host("host-z", 90_000, false, List.of())).board();

    assertThat(board.hosts()).extracting(HostRow::name).containsExactly("host-a", "host-b");
  }

  @Test
  void ofManyRecordersThoseWithNotesComeFirstAndTheOthersAreCounted() {
    List<Integer> all = IntStream.rangeClosed(1, 300).boxed().toList();
    Known known = Known.calm().with(Known.host("host-a", 0, true, all));
    for (int lockId = 2; lockId <= 300; lockId++) {
      known.with(Known.log("r" + lockId, lockId, "host-a", null));
    }
    known.with(Known.log("late", 300, "host-a", Known.AT.minusSeconds(3_600)));

    PageDocument board = known.board();

    assertThat(board.recorders()).hasSize(PageDocumentBuilder.MOST_RECORDERS);
    assertThat(board.recorders().get(0).name()).isEqualTo("late");
    assertThat(board.recorders().get(0).lag()).isEqualTo(3_600);
    assertThat(board.total().lag()).isEqualTo(3_600);
    assertThat(board.counts().recorders()).isEqualTo(300);
    assertThat(board.notes()).hasSizeLessThanOrEqualTo(PageDocumentBuilder.MOST_NOTES);
    assertThat(board.counts().notes()).isGreaterThanOrEqualTo(board.notes().size());
    assertThat(board.notes()).extracting(NoteRow::severity).first().isEqualTo("critical");
  }

  @Test
  void beforeTheFirstLookThereIsNothingAndTheReason() {
    Known known = Known.calm();

    PageDocument board = known.board(LatestSample.NONE);

    assertThat(board.trouble())
        .isEqualTo("host-b has not read the recorders' state from the database yet");
    assertThat(board.ageMs()).isNull();
    assertThat(board.recorders()).isEmpty();
  }

  @Test
  void membersAreWordsWithUnderlines() {
    String document =
        new String(Page.bytes(Known.calm().board()), java.nio.charset.StandardCharsets.UTF_8);

    assertThat(document)
        .startsWith("{\"host\":\"host-b\",\"version\":\"1.0\",\"trouble\":null,\"age_ms\":300,")
        .contains("\"settled_ms\":5300");
  }
}
