/**
 * Common parts of the integrations of frameworks. Applications use those of their framework
 * instead.
 */
@NullMarked
package io.lockkeeper.integration;

import org.jspecify.annotations.NullMarked;
