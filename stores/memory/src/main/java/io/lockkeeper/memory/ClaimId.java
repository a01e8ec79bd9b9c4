package io.lockkeeper.memory;

/** Identifies a claim among those of all clients. */
record ClaimId(String clientId, long claim) {}
