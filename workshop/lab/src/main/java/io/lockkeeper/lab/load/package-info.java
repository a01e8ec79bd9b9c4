/**
 * Many threads that use locks, counters and latches at random, and write down what they see. What
 * they use is a {@link io.lockkeeper.lab.load.Subject}: Lockkeeper, or another product.
 */
@NullMarked
package io.lockkeeper.lab.load;

import org.jspecify.annotations.NullMarked;
