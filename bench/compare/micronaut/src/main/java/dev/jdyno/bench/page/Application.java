package dev.jdyno.bench.page;

import io.micronaut.runtime.Micronaut;

/// A Micronaut application with one page.
public final class Application {
    private Application() {}

    public static void main(String[] args) {
        Micronaut.run(Application.class, args);
    }
}
