package dev.jdyno.capacity.headroom;

/// The use of a disk in a window, by all processes.
///
/// @param device name of the disk
/// @param share share of the window in which it had work, 0…1
public record DiskBusy(String device, double share) {
    public DiskBusy {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("%s of %s is busy".formatted(share, device));
        }
    }
}
