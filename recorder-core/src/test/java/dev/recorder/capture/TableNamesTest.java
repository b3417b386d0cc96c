package dev.recorder.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNamesTest {
  @Test
  void namesAreReadAsTheServerReadsThem() {
    assertThat(TableNames.list("Account , shop.Order_Line,\"Order \"\"Line\"\", x\".\"a,b\""))
        .containsExactly(
            new TableName("public", "account"),
            new TableName("shop", "order_line"),
            new TableName("Order \"Line\", x", "a,b"));
    assertThat(TableNames.one("größe.İD1$"))
        .as("only ASCII's letters are made small")
        .isEqualTo(new TableName("größe", "İd1$"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ",",
        "a,",
        ",a",
        "a b",
        "a.",
        ".a",
        "a.b.c",
        "1a",
        "a-b",
        "\"a",
        "\"\"",
        "a\"b\"",
        "a;b",
        "a.\"b\"c",
        "$a",
        "'a'"
      })
  void whatIsNoNameIsRefused(String text) {
    assertThatThrownBy(() -> TableNames.list(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"public.account", "shop.\"Order Line\"", "\"a.b\".\"c\"\"d,\""})
  void whatIsWrittenIsReadBack(String text) {
    assertThat(TableNames.written(TableNames.one(text))).isEqualTo(text);
  }

  @Test
  void oneNameIsOne() {
    assertThat(TableNames.one("account")).isEqualTo(new TableName("public", "account"));
    assertThatThrownBy(() -> TableNames.one("a, b")).isInstanceOf(IllegalArgumentException.class);
    assertThat(List.of(TableNames.written(new TableName("a", "b1$")))).containsExactly("a.\"b1$\"");
  }
}
