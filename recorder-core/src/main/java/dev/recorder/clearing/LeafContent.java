package dev.recorder.clearing;

/**
 * Which versions of rows a leaf has: two that are equal are of the same rows, none of which has
 * been touched in between. As long as the pages, not the values, take to be read.
 *
 * @param sum of their places, and of the transactions that wrote them
 */
public record LeafContent(long rows, String sum) {}
