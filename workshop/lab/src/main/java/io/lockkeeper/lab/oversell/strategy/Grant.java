package io.lockkeeper.lab.oversell.strategy;

/**
 * One admission.
 *
 * @param token its fencing token: the order of grants
 * @param arrival the request's place in the store's order of arrival, or -1 if it did not queue
 */
public record Grant(long token, long arrival) {}
