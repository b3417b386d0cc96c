/**
 * What is known of the database for those who read it here: the page, the metrics and the lines for
 * CloudWatch. One sampler asks for all of them ({@link dev.recorder.app.looks.SiteSampler}).
 *
 * <p>Here may not live: SQL; what is said of a database, which the library's {@code operate}
 * decides.
 *
 * <p>Threads: {@code sample-1} looks at the database; whoever reads what it found waits for nobody.
 */
@NullMarked
package dev.recorder.app.looks;

import org.jspecify.annotations.NullMarked;
