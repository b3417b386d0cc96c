/**
 * Has the models of the slot log in {@code docs/model} checked: the sound ones to the last state,
 * the broken ones until the promise falls that must fall.
 */
@NullMarked
package dev.recorder.model;

import org.jspecify.annotations.NullMarked;
