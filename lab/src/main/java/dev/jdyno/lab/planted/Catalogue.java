package dev.jdyno.lab.planted;

import java.util.List;

/// All cases, by the rows of docs/bottlenecks.md.
final class Catalogue {
    static final List<Case> ALL =
            List.of(
                    new Cpu(),
                    new CpuExceptions(),
                    new CpuRegex(),
                    new CpuSystemCalls(),
                    new CpuSpin(),
                    new Jit(),
                    new LockSynchronized(),
                    new LockReentrant(),
                    new LockOverIo(),
                    new ThreadPoolTomcat(),
                    new ThreadPoolUndertow(),
                    new PoolStarvationNested(),
                    new PoolStarvationInner(),
                    new ConnectionPoolHttp(),
                    new ConnectionPoolDatabase(),
                    new ConnectionPoolHeld(),
                    new DownstreamSlots(),
                    new DownstreamSerial(),
                    new Load(),
                    new LoadManyThreads(),
                    new DatabaseSaturated(),
                    new DatabaseManyQueries(),
                    new RateLimitSleep(),
                    new RateLimitSemaphore(),
                    new EventLoopCpu(),
                    new EventLoopBlocked(),
                    new EventLoopUndertow(),
                    new GcAllocation(),
                    new GcPromotion(),
                    new GcLiveSet(),
                    new GcLeak(),
                    new GcExplicit(),
                    new GcHumongous(),
                    new GcStall(),
                    new ThreadChurn(),
                    new ClassLoading(),
                    new Safepoint(),
                    new LoggingCaller(),
                    new LoggingQueue(),
                    new LoggingSlowSink(),
                    new DiskFsync(),
                    new DiskRead(),
                    new CpuNeighbour(),
                    new CpuQuota(),
                    new AcceptQueue(),
                    new NetworkNagle(),
                    new Dns(),
                    new VirtualThreadPinningMonitor(),
                    new VirtualThreadPinningNative());

    private Catalogue() {}
}
