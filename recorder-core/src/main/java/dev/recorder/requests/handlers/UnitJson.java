package dev.recorder.requests.handlers;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.recorder.requests.Request;
import dev.recorder.requests.WorkUnit;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A unit for a program: one JSON object in UTF-8 and a line feed. Payloads are copied as inserted,
 * so numbers keep all digits and members their order.
 */
final class UnitJson {
  private UnitJson() {}

  static void write(WorkUnit unit, OutputStream out) throws IOException {
    out.write(ascii("{\"recorder\":"));
    text(unit.recorder().value(), out);
    out.write(ascii(",\"entity\":"));
    text(unit.entity(), out);
    out.write(ascii(",\"process\":\"" + unit.process() + "\",\"fence\":"));
    out.write(ascii(Long.toUnsignedString(unit.fence())));
    out.write(ascii(",\"requests\":["));
    String before = "";
    for (Request request : unit.requests()) {
      out.write(ascii(before));
      request(request, out);
      before = ",";
    }
    out.write(ascii("]}\n"));
  }

  private static void request(Request request, OutputStream out) throws IOException {
    out.write(ascii("{\"id\":" + request.id() + ",\"type\":\"" + request.type().word()));
    out.write(ascii("\",\"payload\":"));
    String payload = request.payload();
    out.write((payload == null ? "null" : payload).getBytes(StandardCharsets.UTF_8));
    out.write(ascii(",\"attempts\":" + request.attempts() + "}"));
  }

  private static void text(String text, OutputStream out) throws IOException {
    out.write('"');
    out.write(JsonStringEncoder.getInstance().quoteAsUTF8(text));
    out.write('"');
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
