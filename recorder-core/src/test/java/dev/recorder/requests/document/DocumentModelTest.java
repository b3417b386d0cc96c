package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.recorder.requests.document.DocumentModel.Update;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentModelTest {

  @Test
  void appliesUnitAfterUnitAndWithinAUnitInTheOrderOfIds() {
    DocumentModel model =
        DocumentModel.of(
            "{\"a\":0}",
            List.of(
                new Update(20, 1, "{\"a\":1}"),
                new Update(10, 3, "{\"a\":3,\"b\":3}"),
                new Update(10, 2, "{\"a\":2,\"b\":2}")));

    assertThat(model.text()).isEqualTo("{\"a\":1,\"b\":3}");
  }

  @Test
  void aColumnThatIsNullIsAnEmptyObject() {
    assertThat(DocumentModel.of(null, List.of(new Update(1, 2, null))).text()).isEqualTo("{}");
  }

  @Test
  void fencesHaveNoSign() {
    assertThat(
            DocumentModel.of(
                    "{}", List.of(new Update(-1, 1, "{\"a\":1}"), new Update(1, 2, "{\"a\":2}")))
                .text())
        .isEqualTo("{\"a\":1}");
  }

  @Test
  void comparesWhatATextSaysNotHowItSaysIt() {
    DocumentModel model = DocumentModel.of("{\"a\":1.0,\"b\":[1,2]}", List.of());

    assertThat(model.isSaidBy(" {\"b\": [1, 2], \"a\":1.0}\n")).isTrue();
    assertThat(model.isSaidBy("{\"a\":1.0,\"b\":[2,1]}")).isFalse();
    assertThat(model.isSaidBy("{\"a\":1.0}")).isFalse();
    assertThat(model.isSaidBy("{\"a\":1,\"b\":[1,2]}")).isFalse();
    assertThat(model.isSaidBy("{")).isFalse();
  }

  @Test
  void aPayloadThatIsNoJsonWasNeverCompleted() {
    assertThatIllegalArgumentException().isThrownBy(() -> DocumentModel.of("{", List.of()));
  }
}
