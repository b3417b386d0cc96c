/**
 * Commands for whoever sets a site up: {@code check}, which tests the file, databases and stores,
 * and {@code schema}, which prints the SQL of the tables.
 *
 * <p>Nothing here changes a database. The threads {@code store-test-N} test stores for {@code check
 * --online}, all else runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.setup;

import org.jspecify.annotations.NullMarked;
