package dev.recorder.requests.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.WorkUnit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnitJsonTest {
  @Test
  void aUnitIsOneObject() throws Exception {
    WorkUnit unit =
        Units.of(
            "42",
            new Request(7, RequestType.UPDATE, "{\"a\": 1}", 0),
            new Request(9, RequestType.UPDATE, null, 3));

    assertThat(json(unit))
        .isEqualTo(
            """
            {"recorder":"customers","entity":"42",\
            "process":"01234567-89ab-cdef-0123-456789abcdef","fence":4711,"requests":[\
            {"id":7,"type":"update","payload":{"a": 1},"attempts":0},\
            {"id":9,"type":"update","payload":null,"attempts":3}]}
            """);
  }

  @Test
  void aPayloadKeepsItsText() throws Exception {
    for (String payload :
        List.of(
            "1.10",
            "123456789012345678901234567890.123",
            "{\"b\":1,\n \"a\":2,\r\n\"b\":3}",
            "\"\\u0000 \\ud800\"",
            "[\"\u00fc\uD83D\uDE00\"]")) {
      assertThat(json(Units.create("1", payload)))
          .contains("\"type\":\"create\",\"payload\":" + payload + ",\"attempts\":0}");
    }
  }

  @Test
  void anyEntityIsReadBackAsItself() throws Exception {
    String entity = "a\"b\\c\n\u0001\u00fc\uD83D\uDE00</'$(x)`";

    JsonNode read = new ObjectMapper().readTree(json(Units.create(entity, "{}")));

    assertThat(read.get("entity").asText()).isEqualTo(entity);
  }

  @Test
  void aFenceIsANumberWithoutSign() throws Exception {
    WorkUnit unit =
        new WorkUnit(Units.CUSTOMERS, "1", Units.PROCESS, -1, Units.create("1", "{}").requests());

    assertThat(json(unit)).contains("\"fence\":18446744073709551615,");
  }

  private static String json(WorkUnit unit) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    UnitJson.write(unit, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
