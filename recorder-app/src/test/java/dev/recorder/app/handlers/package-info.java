/**
 * Request handlers that hosts under test run in their own processes, as an operator adds handlers.
 * They need nothing but the product and the JDK, and get their settings as system properties.
 */
@NullMarked
package dev.recorder.app.handlers;

import org.jspecify.annotations.NullMarked;
