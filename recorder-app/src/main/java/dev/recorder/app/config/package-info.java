/**
 * Reads the INI file of one host, checks it as a whole, and represents it by immutable values.
 *
 * <p>This package has the checks that concern several sections, the effective configuration, and
 * the effect of a changed file. The packages below it: {@code host}, {@code recorder} and {@code
 * connection} have the sections with their keys, defaults and limits. {@code ini} has the grammar
 * and reads sections. {@code value} has the types of values. Each depends only on later ones in
 * this list, and {@code recorder} also on {@code connection}. Not here: printing, exit codes, JDBC,
 * S3, threads. The code runs on the caller's thread, at start, at a reload or in a command. Any
 * thread may use the values.
 *
 * <p>The steps: {@link dev.recorder.app.config.ConfigFile} reads the text. {@code IniScanner} finds
 * sections with line numbers. {@code IniView} presents them through commons-configuration2. A
 * {@code SectionReader} reads the keys that the section's {@code SettingTable} declares. {@code
 * SectionValues} are built if there are no errors.
 *
 * <p>commons-configuration2 has the tree of sections and keys, and converts values. It does
 * <em>not</em> parse the file. Its INI parser has no line numbers, merges duplicates silently,
 * takes a section header with a comment for a key, cuts values at {@code " ;"} and {@code " #"},
 * and has no notation for some passwords. {@code CommonsTrapsTest} verifies that list.
 */
@NullMarked
package dev.recorder.app.config;

import org.jspecify.annotations.NullMarked;
