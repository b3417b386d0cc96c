package dev.recorder.machine.shared;

import static dev.recorder.capture.postgres.CaptureNews.NewsKind.LOSING;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.NOT_ARMED;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.PERHAPS_LOST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.postgres.CaptureNews;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToldOnceTest {
  private final ToldOnce told = new ToldOnce();

  @Test
  void whatLastsIsToldOnceAndAgainWhenItHasBeenOver() {
    CaptureNews disabled = news(LOSING, "disabled", "");

    assertThat(told.of(List.of(disabled))).containsExactly(disabled);
    assertThat(told.of(List.of(disabled))).isEmpty();
    assertThat(told.of(List.of())).isEmpty();
    assertThat(told.of(List.of(disabled))).containsExactly(disabled);
  }

  @Test
  void anotherTextIsNewsAndAnotherDetailIsNone() {
    assertThat(told.of(List.of(news(NOT_ARMED, "in use", "; by 1")))).hasSize(1);
    assertThat(told.of(List.of(news(NOT_ARMED, "in use", "; by 2")))).isEmpty();
    assertThat(told.of(List.of(news(NOT_ARMED, "no right", "")))).hasSize(1);
    assertThat(told.of(List.of(news(NOT_ARMED, "in use", "; by 2")))).hasSize(1);
  }

  @Test
  void whatHappenedIsToldEachTime() {
    CaptureNews lost = news(PERHAPS_LOST, "written", "");

    assertThat(told.of(List.of(lost))).hasSize(1);
    assertThat(told.of(List.of(lost))).hasSize(1);
  }

  @Test
  void whatTwoFindingsSayIsToldOnce() {
    CaptureNews disabled = news(LOSING, "disabled", "");

    assertThat(told.of(List.of(disabled, disabled))).hasSize(1);
  }

  private static CaptureNews news(NewsKind kind, String text, String detail) {
    return new CaptureNews(kind, "orders", "public.account", text, detail);
  }
}
