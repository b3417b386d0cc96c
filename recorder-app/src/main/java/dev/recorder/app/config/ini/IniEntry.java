package dev.recorder.app.config.ini;

import org.jspecify.annotations.Nullable;

/**
 * One {@code key = value} line.
 *
 * @param value null when the value is broken; that is already reported, and must not be reported a
 *     second time as missing
 */
public record IniEntry(String key, int line, @Nullable String value) {}
