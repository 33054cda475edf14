package dev.jdyno.heapmodel.simulation;

import java.util.Arrays;

/// Finds the nearest value in an ascending array.
public final class Nearest {
    private Nearest() {}

    /// @param rising ascending values, at least one
    /// @return index of the nearest value; the higher one of two that are equally near
    public static int in(double[] rising, double value) {
        int at = Arrays.binarySearch(rising, value);
        if (at >= 0) {
            return at;
        }
        int above = -at - 1;
        if (above == 0) {
            return 0;
        }
        boolean below = above == rising.length || value - rising[above - 1] < rising[above] - value;
        return below ? above - 1 : above;
    }
}
