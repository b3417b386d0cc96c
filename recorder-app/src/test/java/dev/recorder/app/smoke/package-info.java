/** What is most likely to differ between servers, run on all that are available. */
@NullMarked
package dev.recorder.app.smoke;

import org.jspecify.annotations.NullMarked;
