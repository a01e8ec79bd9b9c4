/** What a contest showed, as text, JSON and HTML. */
@NullMarked
package io.lockkeeper.cli.oversell.report;

import org.jspecify.annotations.NullMarked;
