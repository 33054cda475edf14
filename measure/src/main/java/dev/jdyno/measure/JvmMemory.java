package dev.jdyno.measure;

/// Where the memory of a JVM is, after a full collection.
///
/// @param liveBytes bytes in use in the heap
/// @param outsideBytes resident memory outside the heap: metaspace, compiled code, threads,
///   buffers, mapped files
public record JvmMemory(long liveBytes, long outsideBytes) {}
