package dev.jdyno.measure.gc;

/// HotSpot's names of the causes of collections (`gcCause.cpp`), as counters, flight recordings and
/// GC logs write them, and their meaning.
public final class GcCauses {
    /// A call of the application; the calls of RMI and NIO have the same name.
    public static final String SYSTEM_GC = "System.gc()";

    /// The allocation of an object of at least half a G1 region.
    public static final String HUMONGOUS = "G1 Humongous Allocation";

    private GcCauses() {}

    /// True for a call of the application. JDK 6 writes `System`.
    public static boolean isCalled(String cause) {
        return cause.startsWith("System");
    }

    /// True for a command or an agent that requested a collection.
    public static boolean isCommanded(String cause) {
        return cause.startsWith("Diagnostic") || cause.startsWith("JvmtiEnv");
    }

    /// True for the collection before a class histogram or a heap dump.
    public static boolean isInspection(String cause) {
        return cause.startsWith("Heap Inspection") || cause.startsWith("Heap Dump");
    }

    /// True if the application or a tool requested the collection.
    public static boolean isAsked(String cause) {
        return isCalled(cause) || isCommanded(cause) || isInspection(cause);
    }
}
