/**
 * What the demo, the feature tests and the benchmark share: real servers, recorders in JVMs of
 * their own that are killed, frozen and cut off, producers with a ledger of what they committed,
 * and a proof of the bucket against that ledger which uses none of the product's code.
 */
@NullMarked
package dev.recorder.app.harness;

import org.jspecify.annotations.NullMarked;
