package dev.recorder.app.config.value;

/** How a slot's object is compressed. */
public enum CompressionWord implements ConfigWord {
  GZIP,
  ZSTD,
  NONE
}
