package dev.jdyno.bench.page;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.ArrayList;
import java.util.List;

/// Returns a list as JSON: some tenths of a millisecond of CPU time, mostly in the framework.
@Controller
public class PageController {
    private static final int ITEMS = 200;

    /// One line of the list.
    public record Item(int number, String name, double price) {}

    @Get("/items")
    public List<Item> items() {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            items.add(new Item(i, "item " + i, i * 1.25));
        }
        return items;
    }
}
