/**
 * Commands for setting a site up: {@code check} tests the file, databases and stores; {@code
 * schema} prints the SQL of the tables.
 *
 * <p>Nothing here changes a database. The threads {@code store-test-N} test stores for {@code check
 * --online}; all else runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.setup;

import org.jspecify.annotations.NullMarked;
