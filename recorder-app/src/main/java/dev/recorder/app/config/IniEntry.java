package dev.recorder.app.config;

import org.jspecify.annotations.Nullable;

/**
 * One {@code key = value} line.
 *
 * @param value null when the value is broken; that is already reported, and must not be reported a
 *     second time as missing
 */
record IniEntry(String key, int line, @Nullable String value) {}
