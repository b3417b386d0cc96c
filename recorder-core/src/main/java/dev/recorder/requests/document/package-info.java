/**
 * The built-in handlers: one JSON document per entity, created and updated in place.
 *
 * <p>Pure except for their ports, a {@link dev.recorder.store.DocumentStore} and a {@link
 * dev.recorder.time.Ticker}. {@link dev.recorder.requests.document.DocumentWorker} runs on the
 * worker's thread. docs/requests.md explains the cases that one object per entity must handle.
 */
@NullMarked
package dev.recorder.requests.document;

import org.jspecify.annotations.NullMarked;
