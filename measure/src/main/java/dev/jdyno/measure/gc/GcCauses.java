package dev.jdyno.measure.gc;

/// HotSpot's names of what sets a collection off (`gcCause.cpp`), as counters, flight recordings
/// and GC logs write them, and what they mean.
public final class GcCauses {
    /// A call of the application; those of RMI and NIO have the same name.
    public static final String SYSTEM_GC = "System.gc()";

    /// An object of half a G1 region and more was allocated.
    public static final String HUMONGOUS = "G1 Humongous Allocation";

    private GcCauses() {}

    /// True for a call of the application. JDK 6 writes `System`.
    public static boolean isCalled(String cause) {
        return cause.startsWith("System");
    }

    /// True for a command or an agent that asked for a collection.
    public static boolean isCommanded(String cause) {
        return cause.startsWith("Diagnostic") || cause.startsWith("JvmtiEnv");
    }

    /// True for the collection before a class histogram or a heap dump.
    public static boolean isInspection(String cause) {
        return cause.startsWith("Heap Inspection") || cause.startsWith("Heap Dump");
    }

    /// True if the application or a tool asked for the collection, in whichever way.
    public static boolean isAsked(String cause) {
        return isCalled(cause) || isCommanded(cause) || isInspection(cause);
    }
}
