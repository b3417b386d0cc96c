/**
 * The built-in handler: one JSON document per entity, created and patched in place.
 *
 * <p>Pure except for the ports it is given: a {@link dev.recorder.store.DocumentStore} and a {@link
 * dev.recorder.time.Ticker}. {@link dev.recorder.requests.document.DocumentWorker} runs on the
 * worker's thread. docs/requests.md says what one object per entity has to get right, and why this
 * does.
 */
@NullMarked
package dev.recorder.requests.document;

import org.jspecify.annotations.NullMarked;
