/**
 * {@code lockkeeper torture}: worker processes use everything at once while a nemesis breaks the
 * server, the network and the workers themselves; what they saw is judged afterwards.
 */
@NullMarked
package io.lockkeeper.lab.torture;

import org.jspecify.annotations.NullMarked;
