package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.WorkUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose document it is. */
class DocumentStampTest {
  private static final String NAME = "db:5432/app";

  private static DatabaseIdentity on(long system, long timeline) {
    return new DatabaseIdentity(NAME, system, 16_384, timeline);
  }

  private static DocumentStamp by(DatabaseIdentity database) {
    return new DocumentStamp(
        new RecorderName("orders"),
        AppliedIds.of(List.of(2L)),
        0,
        new UUID(0, 1),
        7,
        database,
        null);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,2", "2,2", "0,1", "1,0", "0,0"})
  void aDocumentOfThisTimelineOrAnEarlierOneIsTheDatabasesOwn(long wrote, long here) {
    assertThat(by(on(7, wrote)).isOfAnother(List.of(on(7, here)))).isFalse();
  }

  /** Of a copy that was promoted elsewhere: what was written there never came from here. */
  @Test
  void aDocumentOfALaterTimelineIsAnothers() {
    List<DatabaseIdentity> here = List.of(on(7, 1), on(7, 0));

    assertThat(by(on(7, 2)).isOfAnother(here)).isTrue();
    assertThat(by(on(7, 2)).another("object k", here))
        .startsWith(
            "object k was written from database db:5432/app on timeline 2, and this one is"
                + " db:5432/app on timeline 1, so two databases write the same documents");
  }

  /** A server that was promoted gives the numbers again that it did not get. */
  @ParameterizedTest
  @CsvSource({
    "1,1,6,true",
    "1,1,7,false",
    "1,2,6,false",
    "0,2,6,true",
    "1,0,6,true",
    "0,0,6,true",
    "1,2,8,false"
  })
  void aUnitOfALaterTimelineIsLaterWhateverItsNumber(
      long wrote, long here, long fence, boolean isLater) {
    WorkUnit unit =
        new WorkUnit(
            new RecorderName("orders"),
            "e1",
            new UUID(0, 2),
            fence,
            List.of(new Request(3, RequestType.UPDATE, "{}", 0)));

    assertThat(by(on(7, wrote)).isLaterThan(unit, List.of(on(7, here), on(7, 3))))
        .isEqualTo(isLater);
  }

  /** As before pg_upgrade, which begins with timeline 1 again. */
  @Test
  void timelinesOfAServerThatWasReplacedAreNotCompared() {
    assertThat(by(on(6, 5)).isOfAnother(List.of(on(7, 1), on(6, 5)))).isFalse();
  }
}
