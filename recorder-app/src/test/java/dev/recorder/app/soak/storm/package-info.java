/** The storm: faults over hosts that process requests. */
@NullMarked
package dev.recorder.app.soak.storm;

import org.jspecify.annotations.NullMarked;
