package io.lockkeeper.bench.results;

import java.util.List;

/** A load of services and how all contenders did under it, in the order of their turns. */
public record ServiceResult(ServiceRow row, List<ServiceStanding> standings) {}
