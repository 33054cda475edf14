package dev.jdyno.heapmodel.simulation;

/// The last values, up to a maximum number, and a line through them (`TruncatedSeq` in
/// `numberSeq.cpp`). Each operation takes constant time.
public final class RecentValues {
    private final double[] values;
    private int count;
    private int next;
    private double sum;
    private double squares;

    /// Sum of each value times its position; the oldest has position 0.
    private double placed;

    public RecentValues(int max) {
        values = new double[max];
    }

    public void add(double value) {
        if (count == values.length) {
            double oldest = values[next];
            sum -= oldest;
            squares -= oldest * oldest;
            // all other values move down by one index
            placed -= sum;
            count--;
        }
        placed += count * value;
        sum += value;
        squares += value * value;
        values[next] = value;
        next = (next + 1) % values.length;
        count++;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public double sum() {
        return sum;
    }

    public double mean() {
        return sum / count;
    }

    public double deviation() {
        double mean = mean();
        return Math.sqrt(Math.max(0, squares / count - mean * mean));
    }

    /// The next value on the least-squares line.
    public double predicted() {
        if (count < 2) {
            return mean();
        }
        double middle = (count - 1) / 2.0;
        double spread = count * ((double) count * count - 1) / 12;
        double slope = (placed - middle * sum) / spread;
        return mean() + slope * (count - middle);
    }
}
