package dev.jdyno.measure;

/// Which tests run. Maven runs the quick set, and with `-Pfull` all tests. A development
/// environment runs all tests.
///
/// A test that belongs only to the full set has the tag `full`. This class is for tests in both
/// sets that try less in the quick one: fewer seeds, one JDK.
public final class TestSet {
    private TestSet() {}

    public static boolean isFull() {
        return System.getProperty("tests.excluded", "").isEmpty();
    }

    /// Number of repetitions, such as the number of seeds.
    public static int times(int quick, int full) {
        return isFull() ? full : quick;
    }
}
