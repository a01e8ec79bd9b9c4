package io.lockkeeper.memory;

/** What identifies a claim among those of all clients. */
record ClaimId(String clientId, long claim) {}
