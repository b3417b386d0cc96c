/**
 * A shop of seventeen tables, the clients that change them at random, and the proof that its log
 * alone gives the tables again. It knows the harness and no story.
 */
@NullMarked
package dev.recorder.app.shop;

import org.jspecify.annotations.NullMarked;
