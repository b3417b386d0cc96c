package dev.recorder.operate.orders;

import java.time.Duration;

/**
 * An order from an operator to a host.
 *
 * @param recorder the recorder that the order concerns; empty if it concerns all
 * @param argument a further argument of the order's kind: the file of a reload, by its path on the
 *     host; else empty
 * @param takeWithin the time after which the host does not take the order; at most an hour
 * @param osUser the operator, as stated by the command
 */
public record OrderRequest(
    OrderKind kind,
    String machine,
    String recorder,
    String argument,
    Duration takeWithin,
    String osUser) {}
