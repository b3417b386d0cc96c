package dev.recorder.store;

/**
 * Identifies a store for all hosts.
 *
 * @param endpoint S3 endpoint URL, empty for the region's own
 */
public record StoreLocation(String endpoint, String bucket) {}
