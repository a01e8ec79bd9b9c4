package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * The leader of an election, as the store knows it.
 *
 * @param clientId the {@link Lockkeeper#clientId()} of the leader
 * @param clientName its {@link Lockkeeper#clientName()}, or null if the store does not know it
 * @param token the token of its term
 */
public record Leader(String clientId, @Nullable String clientName, long token) {}
