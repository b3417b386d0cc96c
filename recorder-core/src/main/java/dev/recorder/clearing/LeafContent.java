package dev.recorder.clearing;

/**
 * The row versions of a leaf. Two equal contents have the same versions, none of which was changed
 * in between. To determine it, all pages are read, but not large values.
 *
 * @param sum over the places of the versions, and the transactions that wrote them
 */
public record LeafContent(long rows, String sum) {}
