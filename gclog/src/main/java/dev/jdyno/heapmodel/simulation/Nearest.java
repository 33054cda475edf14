package dev.jdyno.heapmodel.simulation;

import java.util.Arrays;

/// Where in a rising row a value is nearest.
public final class Nearest {
    private Nearest() {}

    /// @param rising at least one
    /// @return an index; of two that are as near, the higher one
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
