package dev.jdyno.instance;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// A start with other sizes of pools.
///
/// @param places places by the name of the knob; empty: as the launch command sets them
/// @param test the size of the instance, and the result
public record PoolTest(Map<String, Integer> places, SizeTest test) {
    public PoolTest {
        places = Collections.unmodifiableMap(new TreeMap<>(places));
    }
}
