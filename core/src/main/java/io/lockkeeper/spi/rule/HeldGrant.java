package io.lockkeeper.spi.rule;

/**
 * A grant as a client has seen it. One that is renewed has another end, and so is another.
 *
 * @param client the client that holds it
 * @param grant its number
 * @param firstToken the first token of its block
 * @param endMicros when it is over, as it was read
 */
public record HeldGrant(String client, long grant, long firstToken, long endMicros) {}
