/** The manners of all commands in talking to people: exit statuses, messages, checks of input. */
@NullMarked
package io.lockkeeper.cli.console;

import org.jspecify.annotations.NullMarked;
