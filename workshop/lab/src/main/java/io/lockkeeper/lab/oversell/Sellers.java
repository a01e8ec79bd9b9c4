package io.lockkeeper.lab.oversell;

import java.util.function.Function;

/**
 * A strategy at work in one process: its connections, shared by all threads.
 *
 * @param sellers returns the seller of an article
 * @param end closes the connections
 */
public record Sellers(Function<Article, Seller> sellers, Runnable end) {}
