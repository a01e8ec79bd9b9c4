package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.ResourceId;
import java.util.List;

/**
 * A grant that a simulated store made.
 *
 * @param resource the resource's id
 * @param clientId whose it is
 * @param claims the numbers of its claims
 * @param arrivals their places in the order of arrival
 * @param firstToken the first token of its block
 * @param lastToken the last
 */
public record SimGrant(
    ResourceId resource,
    String clientId,
    List<Long> claims,
    List<Long> arrivals,
    long firstToken,
    long lastToken) {}
