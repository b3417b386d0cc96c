package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedValuesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "bigint; 5; 5",
        "bigint; 5.0; 5",
        "bigint; \"-7\"; -7",
        "bigint; 5.5; misfit",
        "bigint; 9223372036854775808; misfit",
        "bigint; true; misfit",
        "int; 2147483648; misfit",
        "double; 1e400; misfit",
        "double; 0.5; 0.5",
        "boolean; false; false",
        "boolean; \"false\"; misfit",
        "string; \"a\"; a",
        "string; 1.50; 1.50",
        "string; {\"b\":1}; {\"b\":1}",
        "decimal(5,2); 123.4; 123.40",
        "decimal(5,2); 123.456; misfit",
        "decimal(5,2); 1234; misfit",
        "decimal(5,2); 1e999999999; misfit",
        "decimal(38,0); 1e37; 10000000000000000000000000000000000000",
        "timestamp; \"1970-01-01T01:00:01.000001+01:00\"; 1000001",
        "timestamp; \"1970-01-01T00:00:00.0000001Z\"; misfit",
        "timestamp; \"yesterday\"; misfit",
        "date; \"1970-01-02\"; 1",
        "date; 5; misfit",
        "int; null; null"
      })
  void aValueFitsExactlyOrIsNull(String type, String value, String expected) {
    TypedValues values = new TypedValues(TableColumns.parse("v:$.v " + type));

    Object found = values.of(ByteBuffer.wrap(("{\"v\":" + value + "}").getBytes(UTF_8))).get(0);

    assertThat(found == null && values.misfits() == 1 ? "misfit" : String.valueOf(found))
        .isEqualTo(expected);
  }

  @Test
  void valuesAreFoundWhereverTheyStand() {
    TypedValues values =
        new TypedValues(TableColumns.parse("a:$.x.y[1].z int, b:$[0] int, c:$.no.such int"));

    assertThat(values.of(ByteBuffer.wrap("{\"x\":{\"y\":[0,{\"z\":3}]}}".getBytes(UTF_8))))
        .isEqualTo(Arrays.asList(3, null, null));
    assertThat(values.of(ByteBuffer.wrap("[4]".getBytes(UTF_8))))
        .isEqualTo(Arrays.asList(null, 4, null));
    assertThat(values.misfits()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a:$.a",
        "a:b int",
        "a:$ int",
        "a:$. int",
        "a:$.a number",
        "a:$.a decimal(39,2)",
        "a:$.a decimal(2,3)",
        "id:$.a int",
        "Day:$.a int",
        "a:$.a int, A:$.b int",
        "a:$.a int,",
        "a b:$.a int"
      })
  void whatIsNoListOfColumnsIsRefused(String text) {
    assertThatThrownBy(() -> TableColumns.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void columnsAreWrittenAsTheyAreRead() {
    String text = "amount:$.amount decimal(18,2), at:$.at timestamp";

    TableColumns columns =
        TableColumns.parse("amount : $.amount  DECIMAL(18, 2) ,at:$.at timestamp");

    assertThat(columns).hasToString(text);
    assertThat(TableColumns.ofSchema(columns.schema(true), true)).isEqualTo(columns);
  }
}
