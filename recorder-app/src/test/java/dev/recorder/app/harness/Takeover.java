package dev.recorder.app.harness;

import org.jspecify.annotations.Nullable;

/** A receipt, as the table {@code takeovers} has it. */
public record Takeover(
    String reason,
    @Nullable String from,
    String to,
    long epoch,
    long silenceMillis,
    long gapMillis) {}
