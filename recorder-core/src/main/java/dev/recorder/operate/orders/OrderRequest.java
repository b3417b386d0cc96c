package dev.recorder.operate.orders;

import java.time.Duration;

/**
 * What an operator orders of a machine.
 *
 * @param recorder which one it is about; empty if it is about all
 * @param argument what the kind of the order needs beside: the file of a reload, as the machine
 *     knows it; else empty
 * @param takeWithin after that the machine does not take the order any more; up to an hour
 * @param osUser who asks, by their own account
 */
public record OrderRequest(
    OrderKind kind,
    String machine,
    String recorder,
    String argument,
    Duration takeWithin,
    String osUser) {}
