package dev.jdyno.heapmodel.simulation;

/// Costs of a collection in seconds (F14): a fixed part, copying survivors by byte and by object,
/// promotion, and the first touch of old pages. docs/heap-model.md says how the defaults were
/// measured. On another machine times differ, counts do not.
///
/// @param minorFixed a minor collection without live objects
/// @param perObject finding and copying one object
/// @param copyPerByte copying within young or into old pages used before
/// @param touchPerByte additional cost of the first use of an old page
/// @param fullFixed a full collection of an empty heap
/// @param fullPerObject marking and moving one live object
/// @param fullPerByte moving live bytes
/// @param allocatePerByte CPU time of the application to allocate and clear a byte
public record GcCosts(
        double minorFixed,
        double perObject,
        double copyPerByte,
        double touchPerByte,
        double fullFixed,
        double fullPerObject,
        double fullPerByte,
        double allocatePerByte) {
    private static final double MIB = 1024.0 * 1024.0;

    /// The default costs of a collector.
    public static GcCosts of(Collector collector) {
        return switch (collector) {
            case SERIAL ->
                    new GcCosts(
                            70e-6,
                            40e-9,
                            90e-6 / MIB,
                            330e-6 / MIB,
                            1.5e-3,
                            80e-9,
                            60e-6 / MIB,
                            60e-6 / MIB);
            case PARALLEL ->
                    new GcCosts(
                            300e-6,
                            30e-9,
                            90e-6 / MIB,
                            330e-6 / MIB,
                            2e-3,
                            80e-9,
                            60e-6 / MIB,
                            60e-6 / MIB);
            case G1 ->
                    new GcCosts(
                            700e-6,
                            60e-9,
                            150e-6 / MIB,
                            150e-6 / MIB,
                            5e-3,
                            80e-9,
                            60e-6 / MIB,
                            60e-6 / MIB);
        };
    }

    double minorPause(Generations.Minor minor) {
        return minorFixed
                + minor.objects() * perObject
                + (minor.survivedBytes() + minor.promotedBytes()) * copyPerByte
                + minor.freshBytes() * touchPerByte;
    }

    /// Cost to copy objects of one size.
    double copying(long bytes, long objectBytes) {
        return bytes * copyPerByte + (double) bytes / objectBytes * perObject;
    }

    double fullPause(Generations.Live live) {
        return fullFixed + live.objects() * fullPerObject + live.bytes() * fullPerByte;
    }
}
