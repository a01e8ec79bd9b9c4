package io.lockkeeper.servers;

import java.util.Map;

/**
 * The settings that one database server is started with.
 *
 * @param binary its program
 * @param port where it listens
 * @param durable whether it waits for the disk at every commit
 * @param options further settings of the server, by name
 * @param environment what is in its environment besides this process's
 */
record SqlServerSettings(
    SqlBinary binary,
    int port,
    boolean durable,
    Map<String, String> options,
    Map<String, String> environment) {}
