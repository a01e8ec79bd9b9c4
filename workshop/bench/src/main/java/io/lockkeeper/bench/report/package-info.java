/** Makes Markdown and plots from the results of a run. */
@NullMarked
package io.lockkeeper.bench.report;

import org.jspecify.annotations.NullMarked;
