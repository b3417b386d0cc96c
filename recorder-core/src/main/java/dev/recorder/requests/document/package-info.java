/**
 * The built-in handlers: one JSON document per entity, created and updated in place.
 *
 * <p>Pure except for their ports, a {@link dev.recorder.store.DocumentStore} and a {@link
 * dev.recorder.time.Ticker}. {@link dev.recorder.requests.document.DocumentWorker} runs on the
 * worker's thread. docs/requests.md says what one object per entity has to get right, and why this
 * does.
 */
@NullMarked
package dev.recorder.requests.document;

import org.jspecify.annotations.NullMarked;
