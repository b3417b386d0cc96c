/**
 * The INI file of one host: read, checked as a whole, and represented by immutable values.
 *
 * <p>This package has what concerns several sections, the effective configuration and the effect of
 * a changed file. Below it, {@code host}, {@code recorder} and {@code connection} have the sections
 * with their keys, defaults and limits; {@code ini} has the grammar and the reading of sections;
 * {@code value} has types of values. Each depends only on those after it, and {@code recorder} on
 * {@code connection}. Not here: printing, exit codes, JDBC, S3, threads. All of it runs on the
 * caller's thread, at start, at a reload or in a command; any thread may use the values.
 *
 * <p>The steps: {@link dev.recorder.app.config.ConfigFile} reads the text, {@code IniScanner} finds
 * sections with line numbers, {@code IniView} presents them through commons-configuration2, a
 * {@code SectionReader} reads what the section's {@code SettingTable} declares, and {@code
 * SectionValues} are built if there are no errors.
 *
 * <p>commons-configuration2 is the typed, hierarchical view: it has the tree of sections and keys,
 * and converts values. It does <em>not</em> parse the file. Its INI parser has no line numbers,
 * merges duplicates silently, takes a section header with a comment for a key, cuts values at
 * {@code " ;"} and {@code " #"}, and has no notation for some passwords; {@code CommonsTrapsTest}
 * verifies that list.
 */
@NullMarked
package dev.recorder.app.config;

import org.jspecify.annotations.NullMarked;
