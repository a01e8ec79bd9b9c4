/** Experiments in several processes: a coordinator and its workers, which talk in lines. */
@NullMarked
package io.lockkeeper.lab.process;

import org.jspecify.annotations.NullMarked;
