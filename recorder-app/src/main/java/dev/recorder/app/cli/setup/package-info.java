/**
 * Commands for setting a site up: {@code init} writes the files of the hosts, {@code check} tests
 * the file, databases and stores, and {@code schema} prints the SQL of the tables.
 *
 * <p>Nothing here changes the database. The threads {@code store-test-N} test stores for {@code
 * check --online}. All other code runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.setup;

import org.jspecify.annotations.NullMarked;
