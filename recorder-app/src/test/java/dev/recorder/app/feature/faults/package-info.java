/** Hosts, databases and stores fail one by one, and each story is proved in the same way. */
@NullMarked
package dev.recorder.app.feature.faults;

import org.jspecify.annotations.NullMarked;
