package dev.jdyno.measure;

/// Which tests run. Maven runs the quick ones unless it is given `-Pfull`; a development
/// environment runs all.
///
/// A test that is in the full set only has the tag `full`. This class is for tests that are in both
/// and try less in the quick one: fewer seeds, one JDK.
public final class TestSet {
    private TestSet() {}

    public static boolean isFull() {
        return System.getProperty("tests.excluded", "").isEmpty();
    }

    /// How often to try something, such as the number of seeds.
    public static int times(int quick, int full) {
        return isFull() ? full : quick;
    }
}
