package dev.recorder.app.config;

/** How a slot's object is compressed. */
public enum CompressionWord implements ConfigWord {
  GZIP,
  ZSTD,
  NONE
}
