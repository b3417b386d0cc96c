package dev.recorder.operate;

import java.time.Duration;

/**
 * Whom an order is for, whatever is ordered.
 *
 * @param takeWithin after that the machine does not take the order any more; up to an hour
 * @param osUser who asks, by their own account
 */
public record OrderHead(String machine, Duration takeWithin, String osUser) {}
