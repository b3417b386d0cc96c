/** Stories of requests, tasks and documents: each has its effect once, whoever dies. */
@NullMarked
package dev.recorder.app.feature.requests;

import org.jspecify.annotations.NullMarked;
