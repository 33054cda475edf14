package dev.jdyno.instance;

import dev.jdyno.measure.text.Bytes;
import java.util.Locale;

/// Limits of one instance, in the units of Kubernetes.
///
/// @param milliCpus CPU limit in thousandths of a core
/// @param mebibytes memory limit
public record InstanceSize(int milliCpus, int mebibytes) {
    public InstanceSize {
        if (milliCpus <= 0 || mebibytes <= 0) {
            throw new IllegalArgumentException("a size must be positive");
        }
    }

    public double cores() {
        return milliCpus / 1000.0;
    }

    public Bytes memory() {
        return Bytes.mebi(mebibytes);
    }

    /// True if neither limit is below that of the other size.
    public boolean covers(InstanceSize other) {
        return milliCpus >= other.milliCpus && mebibytes >= other.mebibytes;
    }

    /// As Kubernetes writes it: `500m`, or `2` for whole cores.
    public String cpuText() {
        return milliCpus % 1000 == 0 ? Integer.toString(milliCpus / 1000) : milliCpus + "m";
    }

    /// As Kubernetes writes it: `384Mi`.
    public String memoryText() {
        return mebibytes + "Mi";
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s, %s", cpuText(), memoryText());
    }
}
