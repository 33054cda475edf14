package shop;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CartController {
    private static final Logger LOG = LoggerFactory.getLogger(CartController.class);

    private final Carts carts;

    CartController(Carts carts) {
        this.carts = carts;
    }

    record Line(String name, int pieces, long cents) {}

    record Cart(long id, List<Line> lines, long cents) {}

    @GetMapping("/cart")
    Cart cart(@RequestParam(defaultValue = "1") long id) {
        List<Line> lines = carts.lines(id);
        for (Line line : lines) {
            LOG.info("cart {} has {} of {}", id, line.pieces(), line.name());
        }
        return new Cart(id, lines, lines.stream().mapToLong(l -> l.pieces() * l.cents()).sum());
    }
}
