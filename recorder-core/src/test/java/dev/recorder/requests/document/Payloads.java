package dev.recorder.requests.document;

import java.util.List;

/** Payloads that contradict each other: the order in which they are applied shows. */
final class Payloads {
  private static final List<String> TOGGLES = List.of("{\"a\":0}", "{\"a\":1}");
  private static final List<String> NESTED =
      List.of(
          "{\"a\":{\"x\":0}}",
          "{\"a\":{\"x\":1,\"y\":null}}",
          "{\"a\":{\"y\":2}}",
          "{\"a\":null}",
          "{\"a\":3}",
          "{\"b\":{\"x\":{\"z\":1}}}",
          "{\"b\":{\"x\":null}}",
          "{\"b\":[]}",
          "4",
          "{}");

  private final Chance chance;
  private final boolean toggling;
  private int last;

  Payloads(Chance chance) {
    this.chance = chance;
    this.toggling = chance.hit(0.4);
  }

  String create() {
    return toggling ? TOGGLES.get(0) : "{\"a\":{\"x\":7},\"c\":1}";
  }

  String update() {
    if (toggling) {
      return chance.pick(TOGGLES);
    } else if (chance.hit(0.05)) {
      return "{\"half\":\"\\ud800\"}";
    } else if (chance.hit(0.3)) {
      return "{\"r" + chance.below(3) + "\":" + ++last + "}";
    }
    return chance.pick(NESTED);
  }
}
