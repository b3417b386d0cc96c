/**
 * What tests of both modules share: embedded servers, fakes, and predicates for architecture rules.
 *
 * <p>Ships as recorder-core's test-jar, never in the product.
 */
@NullMarked
package dev.recorder.testing;

import org.jspecify.annotations.NullMarked;
