package dev.recorder.store;

/**
 * Which store it is, for all hosts the same.
 *
 * @param endpoint S3 endpoint URL, empty for the region's own
 */
public record StorePlace(String endpoint, String bucket) {}
