/** The imaginary PostgreSQL and S3, and the rules that can be broken in them. */
@NullMarked
package dev.recorder.simulation.servers;

import org.jspecify.annotations.NullMarked;
