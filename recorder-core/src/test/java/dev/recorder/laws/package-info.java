/**
 * Has the models of the slot log in {@code docs/model} checked: the sound ones to the last state,
 * the broken ones until the promise falls that must fall. By their name they run just before the
 * tests of locks, which leave the processors idle.
 */
@NullMarked
package dev.recorder.laws;

import org.jspecify.annotations.NullMarked;
