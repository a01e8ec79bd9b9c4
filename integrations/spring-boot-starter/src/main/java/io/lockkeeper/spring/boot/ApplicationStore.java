package io.lockkeeper.spring.boot;

import io.lockkeeper.spring.boot.LockkeeperProperties.StoreKind;
import java.util.function.BiFunction;

/**
 * A kind of store that the application may have as a bean of its own.
 *
 * @param kind its value of {@code lockkeeper.store}
 * @param type the type of the bean
 * @param details connects to it, given the bean's name and the bean
 */
record ApplicationStore<T>(
    StoreKind kind, Class<T> type, BiFunction<String, T, LockkeeperConnectionDetails> details) {}
