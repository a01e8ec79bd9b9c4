/** What several stores need and a store may use. It is for those who write one. */
@NullMarked
package io.lockkeeper.spi.support;

import org.jspecify.annotations.NullMarked;
