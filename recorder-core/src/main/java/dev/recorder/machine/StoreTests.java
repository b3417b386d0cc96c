package dev.recorder.machine;

import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectStore;

/** Tests each store once per machine start. */
final class StoreTests {
  String verdict(ObjectStore bucket, LogLayout layout) {
    return "";
  }
}
