/**
 * Classes that break the rules of the architecture, at least one for each, in packages that are
 * called like those that must keep them; so that each rule is seen to fail.
 */
@NullMarked
package dev.recorder.architecture.broken;

import org.jspecify.annotations.NullMarked;
