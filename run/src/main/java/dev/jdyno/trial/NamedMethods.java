package dev.jdyno.trial;

import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The methods in the thread samples: those in which threads are, and those in which a thread holds
/// a resource for which other threads wait.
public final class NamedMethods {
    private NamedMethods() {}

    public static Set<String> of(List<ThreadSamples> samples) {
        Set<String> methods = new HashSet<>();
        for (ThreadSamples sample : samples) {
            for (ThreadSamples.Busy busy : sample.busy()) {
                add(busy.place(), methods);
                if (busy.holder().isPresent()
                        && busy.holder().get() instanceof Holder.SeenThread thread
                        && thread.doing().isPresent()) {
                    add(thread.doing().get().place(), methods);
                    thread.doing().get().frame().ifPresent(methods::add);
                }
            }
        }
        return methods;
    }

    private static void add(Place place, Set<String> methods) {
        place.inFrame().ifPresent(methods::add);
        if (place instanceof Place.Code code) {
            code.called().ifPresent(methods::add);
        }
    }
}
