/** The laboratory: it tries out what the product promises, and is no part of it. */
@NullMarked
package io.lockkeeper.lab;

import org.jspecify.annotations.NullMarked;
