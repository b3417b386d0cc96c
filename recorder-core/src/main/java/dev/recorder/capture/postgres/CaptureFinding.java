package dev.recorder.capture.postgres;

/**
 * What is not as it should be about a capture.
 *
 * @param losesChanges whether there are changes that are not captured because of it
 * @param text one sentence without its end, with what to do about it
 */
public record CaptureFinding(String recorder, String table, boolean losesChanges, String text) {}
