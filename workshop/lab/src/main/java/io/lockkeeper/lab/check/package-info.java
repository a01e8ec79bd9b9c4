/**
 * Judges a history: does it keep the promises of {@code docs/SPEC.md}? A rule never takes what is
 * only unlikely for a violation: a lease counts as valid for as long as its holder knew it to be,
 * and no longer.
 */
@NullMarked
package io.lockkeeper.lab.check;

import org.jspecify.annotations.NullMarked;
