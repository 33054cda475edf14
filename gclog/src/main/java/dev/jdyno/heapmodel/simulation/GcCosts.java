package dev.jdyno.heapmodel.simulation;

/// What a collection costs (F14): a fixed part, the copying of survivors by byte and by object, the
/// moving into old and the first touch of old's pages. In seconds. How the defaults were measured,
/// and on what, is in docs/heap-model.md; on another machine times differ, counts do not.
///
/// @param minorFixed a minor collection that finds nothing alive
/// @param perObject finding and copying one object
/// @param copyPerByte copying within the young generation or into pages of old used before
/// @param touchPerByte in addition, the first time a page of old is used
/// @param fullFixed a full collection of an empty heap
/// @param fullPerObject marking one live object and moving it
/// @param fullPerByte moving what is alive
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

    /// The defaults of one collector.
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

    /// Copying objects of one size.
    double copying(long bytes, long objectBytes) {
        return bytes * copyPerByte + (double) bytes / objectBytes * perObject;
    }

    double fullPause(Generations.Live live) {
        return fullFixed + live.objects() * fullPerObject + live.bytes() * fullPerByte;
    }
}
