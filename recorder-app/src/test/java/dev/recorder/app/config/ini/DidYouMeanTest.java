package dev.recorder.app.config.ini;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DidYouMeanTest {
  private static final List<String> NAMES =
      List.of("lockid", "primary", "linger", "kind", "password", "password_file", "rotate_rows");

  @ParameterizedTest
  @CsvSource({
    "lock_id, lockid",
    "Lock-Id, lockid",
    "pasword, password",
    "primray, primary",
    "passwordfile, password_file",
    "rotaterow, rotate_rows",
    "lingr, linger",
  })
  void theNearestNameIsFound(String unknown, String meant) {
    assertThat(DidYouMean.among(NAMES, unknown)).contains(meant);
  }

  @Test
  void aFarNameIsNotGuessed() {
    assertThat(DidYouMean.among(NAMES, "zebra")).isEmpty();
    assertThat(DidYouMean.among(NAMES, "")).isEmpty();
    assertThat(DidYouMean.among(List.of(), "kind")).isEmpty();
  }
}
