/** Support for those who write a store: what several stores need. */
@NullMarked
package io.lockkeeper.spi.support;

import org.jspecify.annotations.NullMarked;
