package dev.jdyno.capacity.headroom;

/// The requests and the CPU use of a service in a few seconds of natural load.
///
/// @param seconds length of the window
/// @param requests requests that ended in it
/// @param cores CPU of the process, in cores
/// @param availableCores cores that the process could have had, at least `cores`
public record LoadWindow(double seconds, double requests, double cores, double availableCores) {
    public LoadWindow {
        if (!(seconds > 0) || !(requests >= 0) || !(cores >= 0) || !(availableCores >= cores)) {
            throw new IllegalArgumentException(
                    "%s requests and %s of %s cores in %s s"
                            .formatted(requests, cores, availableCores, seconds));
        }
    }

    double perS() {
        return requests / seconds;
    }

    /// Returns both windows as one.
    LoadWindow and(LoadWindow next) {
        double all = seconds + next.seconds;
        return new LoadWindow(
                all,
                requests + next.requests,
                (cores * seconds + next.cores * next.seconds) / all,
                (availableCores * seconds + next.availableCores * next.seconds) / all);
    }
}
