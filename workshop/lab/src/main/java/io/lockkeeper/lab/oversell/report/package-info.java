/** What a contest showed, as text, JSON and HTML. */
@NullMarked
package io.lockkeeper.lab.oversell.report;

import org.jspecify.annotations.NullMarked;
