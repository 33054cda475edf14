package dev.jdyno.heapmodel.simulation;

import dev.jdyno.measure.text.Bytes;
import java.time.Duration;
import java.util.Optional;

/// The memory use of one request, and the arrivals of requests.
///
/// @param requestBytes bytes that one request allocates
/// @param objectBytes length of the arrays that it allocates; absent: one array of `requestBytes`.
///   It decides what fits into a survivor space: 2 MB in one piece overflow a survivor space of 1.9
///   MB, 2 MB in small pieces only by 0.1 MB.
/// @param liveBytes part of it that is still referenced after allocation; the rest is garbage at
///   once
/// @param hold time for which the request waits after allocation
/// @param releaseBeforeWait true if it releases its memory before that wait (E20 b)
/// @param cachedFor time for which its live memory stays referenced after its end
/// @param cpu CPU time besides allocation
/// @param cores cores that run the application
/// @param requests number of requests in the run
/// @param smallBytes additional small objects, live as long as the request. They take little
///   memory, but through them Parallel detects a survivor space that is full of large arrays.
public record HeapWorkload(
        Bytes requestBytes,
        Optional<Bytes> objectBytes,
        Bytes liveBytes,
        Duration hold,
        boolean releaseBeforeWait,
        Duration cachedFor,
        Duration cpu,
        int cores,
        Arrivals arrivals,
        int requests,
        Bytes smallBytes) {
    /// Bytes that a request of an HTTP service allocates besides its own data: headers, strings,
    /// buffers. In the lab's `memory` service on Tomcat, JDK 25, 12 000 requests of 1 KB fill an
    /// Eden of 13.2 MB four times. Each takes 3 to 5 KB.
    public static final Bytes SMALL_BYTES = new Bytes(5 * 1024);

    /// Header and length field of an array, which are part of its size in the heap.
    private static final long ARRAY_HEADER = 16;

    public HeapWorkload {
        check(requestBytes.value() > 0, "a request must allocate something");
        check(
                objectBytes.isEmpty() || objectBytes.get().value() > 0,
                "objects must be larger than nothing");
        check(
                liveBytes.value() <= requestBytes.value(),
                "a request cannot keep more than it allocates");
        check(!hold.isNegative() && !cachedFor.isNegative() && !cpu.isNegative(), "times are ≥ 0");
        check(cores >= 1, "at least one core, not " + cores);
        check(requests >= 1, "at least one request, not " + requests);
    }

    /// A request that allocates `requestBytes` in one array, holds it for `hold` and ends, as in E5
    /// and E20. Two cores, no other CPU time.
    public static HeapWorkload holding(
            Bytes requestBytes, Duration hold, Arrivals arrivals, int requests) {
        return new HeapWorkload(
                requestBytes,
                Optional.empty(),
                requestBytes,
                hold,
                false,
                Duration.ZERO,
                Duration.ZERO,
                2,
                arrivals,
                requests,
                SMALL_BYTES);
    }

    public HeapWorkload releasing() {
        return with(objectBytes, true, cpu, cores, arrivals, requests, smallBytes);
    }

    public HeapWorkload inObjectsOf(Bytes size) {
        return with(
                Optional.of(size), releaseBeforeWait, cpu, cores, arrivals, requests, smallBytes);
    }

    public HeapWorkload with(Arrivals other) {
        return with(objectBytes, releaseBeforeWait, cpu, cores, other, requests, smallBytes);
    }

    public HeapWorkload with(Duration cpuTime, int coreCount) {
        return with(
                objectBytes, releaseBeforeWait, cpuTime, coreCount, arrivals, requests, smallBytes);
    }

    public HeapWorkload withRequests(int count) {
        return with(objectBytes, releaseBeforeWait, cpu, cores, arrivals, count, smallBytes);
    }

    /// Returns the same workload with other small objects, for a program that is not a service.
    public HeapWorkload withSmall(Bytes bytes) {
        return with(objectBytes, releaseBeforeWait, cpu, cores, arrivals, requests, bytes);
    }

    private HeapWorkload with(
            Optional<Bytes> objects,
            boolean releases,
            Duration cpuTime,
            int coreCount,
            Arrivals coming,
            int count,
            Bytes small) {
        return new HeapWorkload(
                requestBytes,
                objects,
                liveBytes,
                hold,
                releases,
                cachedFor,
                cpuTime,
                coreCount,
                coming,
                count,
                small);
    }

    /// Heap size of one array of a request: a multiple of eight that includes the header.
    long objectHeapBytes() {
        long payload = objectBytes.map(Bytes::value).orElse(requestBytes.value());
        return (Math.min(payload, requestBytes.value()) + ARRAY_HEADER + 7) / 8 * 8;
    }

    long objectsPerRequest() {
        long payload = objectBytes.map(Bytes::value).orElse(requestBytes.value());
        return Math.max(1, (requestBytes.value() + payload - 1) / payload);
    }

    /// Number of arrays that stay referenced until the request ends.
    long liveObjectsPerRequest() {
        double share = (double) liveBytes.value() / requestBytes.value();
        return Math.round(share * objectsPerRequest());
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
