package dev.recorder.architecture.broken.clearing;

import dev.recorder.architecture.broken.s3.SomeBucket;
import dev.recorder.testing.network.Breaks;

@Breaks("LOGIC_KNOWS_NO_ADAPTER_AND_NO_WORKER")
public interface KnowsAnAdapter {
  void know(SomeBucket other);
}
