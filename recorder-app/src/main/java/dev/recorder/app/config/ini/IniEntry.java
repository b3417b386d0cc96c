package dev.recorder.app.config.ini;

import org.jspecify.annotations.Nullable;

/**
 * A {@code key = value} line.
 *
 * @param value null if the value is broken; this is reported already, and must not be reported
 *     again as missing
 */
public record IniEntry(String key, int line, @Nullable String value) {}
