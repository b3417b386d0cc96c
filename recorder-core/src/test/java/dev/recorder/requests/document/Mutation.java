package dev.recorder.requests.document;

/**
 * A rule of the documents, broken on purpose: a simulation that does not notice is worth nothing.
 */
enum Mutation {
  NONE,
  /** A version does not say which requests it answers for. */
  APPLIED_NOT_KEPT,
  /** A version names only the highest of the requests that it answers for. */
  HIGHEST_ID_ONLY,
  /** A request in status error counts as settled for good. */
  ERRORS_NOT_FOUND,
  /** Requests that were found are settled without a version in the unit's own name. */
  FOUND_WITHOUT_A_WRITE,
  /** Of requests that were found only those in status error are settled, the new ones later. */
  FOUND_IN_PARTS,
  /** Two versions may have equal bytes. */
  NO_LINE_OF_BLANKS,
  /** A version is replaced whatever has become of it. */
  NO_IF_MATCH,
  /** A document is put there whatever is there. */
  NO_IF_NONE_MATCH,
  /** A unit goes on although a later one has written. */
  FENCES_IGNORED,
  /** A PUT without an answer counts as done. */
  NO_ANSWER_IS_SUCCESS
}
