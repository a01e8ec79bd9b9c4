package io.lockkeeper.redis;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;

/**
 * Looks up the names of servers with the JVM, on a thread that is there only while it does. The JVM
 * keeps what it finds for a while, as it is set up to.
 *
 * <p>The driver's own resolver has a UDP socket for each client, which about half of the clients
 * left open when they were closed.
 */
final class NameLookup extends AddressResolverGroup<InetSocketAddress> {

  private static final ThreadFactory THREADS =
      new DefaultThreadFactory("lockkeeper-redis-names", true);

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
    return new Names(executor).asAddressResolver();
  }

  private static final class Names extends InetNameResolver {

    Names(EventExecutor executor) {
      super(executor);
    }

    @Override
    protected void doResolve(String host, Promise<InetAddress> promise) {
      lookUp(host, promise, () -> InetAddress.getByName(host));
    }

    @Override
    protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
      lookUp(host, promise, () -> Arrays.asList(InetAddress.getAllByName(host)));
    }

    private static <T> void lookUp(String host, Promise<T> promise, Callable<T> lookUp) {
      if (NetUtil.createByteArrayFromIpAddressString(host) != null) {
        answer(promise, lookUp); // nothing has to be asked
      } else {
        THREADS.newThread(() -> answer(promise, lookUp)).start();
      }
    }

    private static <T> void answer(Promise<T> promise, Callable<T> lookUp) {
      try {
        promise.trySuccess(lookUp.call());
      } catch (UnknownHostException e) {
        promise.tryFailure(e);
      } catch (Exception e) {
        promise.tryFailure(new IllegalStateException("a name could not be looked up", e));
      }
    }
  }
}
