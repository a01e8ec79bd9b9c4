/**
 * The promises of {@code docs/SPEC.md} as tests: one abstract class per chapter, against the public
 * API, for any store.
 *
 * <p>A store's module extends each chapter and supplies a {@link
 * io.lockkeeper.testkit.tck.TckStore}.
 */
@NullMarked
package io.lockkeeper.testkit.tck;

import org.jspecify.annotations.NullMarked;
