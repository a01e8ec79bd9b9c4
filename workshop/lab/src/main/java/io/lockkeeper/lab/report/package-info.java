/** What reports of several experiments are made of. */
@NullMarked
package io.lockkeeper.lab.report;

import org.jspecify.annotations.NullMarked;
