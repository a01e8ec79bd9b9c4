package io.lockkeeper.spi.record;

/**
 * A message that a client gets when a change has been made, which may be the one that made it.
 *
 * @param client the id of the client
 * @param text the message, a few hundred characters as a rule and 4,000 at most
 */
public record Message(String client, String text) {}
