package dev.recorder.slotlog;

/** An effect with the number under which its answer is expected. */
public record Ticketed(long ticket, Effect effect) {}
