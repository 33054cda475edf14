package dev.jdyno.lab.page;

import java.util.List;
import java.util.stream.LongStream;

/// The data of an item that a template shows; public, because some templates use reflection.
public final class Item {
    private final long id;

    private Item(long id) {
        this.id = id;
    }

    /// Returns items 1 to `count`.
    static List<Item> first(int count) {
        return LongStream.rangeClosed(1, count).mapToObj(Item::new).toList();
    }

    public long getId() {
        return id;
    }

    public String getName() {
        return "商品 " + id;
    }

    public long getPrice() {
        return 10 + id * 7919 % 990;
    }

    public long getSold() {
        return id * 104_729 % 10_000;
    }

    public String getSeller() {
        return "卖家 " + id % 37;
    }
}
