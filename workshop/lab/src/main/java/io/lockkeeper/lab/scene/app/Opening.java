package io.lockkeeper.lab.scene.app;

/**
 * What an instance is to do from now on.
 *
 * @param strategy the name of a strategy or of a bean
 * @param store the kind of store that its lock is in
 * @param stock the kind of store that its stock is in
 * @param article what is sold
 * @param leaseMillis of locks that have a lease
 */
public record Opening(
    String strategy, String store, String stock, String article, long leaseMillis) {}
