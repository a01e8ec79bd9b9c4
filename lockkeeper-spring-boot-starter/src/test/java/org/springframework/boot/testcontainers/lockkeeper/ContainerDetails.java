package org.springframework.boot.testcontainers.lockkeeper;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Stands for the class that all details of containers extend, which is in such a package. */
public abstract class ContainerDetails implements ConnectionDetails {}
