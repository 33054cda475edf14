package shop;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;
import shop.CartController.Line;

@Repository
class Carts {
    private final JdbcTemplate database;

    Carts(JdbcTemplate database) {
        this.database = database;
    }

    /** Holds a connection while the stock service answers. */
    @Transactional(readOnly = true)
    public List<Line> lines(long id) {
        List<Line> lines =
                database.query(
                        "select i.name, l.pieces, i.cents from line l join item i on i.id = l.item"
                                + " where l.cart = ?",
                        (row, n) -> new Line(row.getString(1), row.getInt(2), row.getLong(3)),
                        id);
        Stock.reserve(lines);
        return lines;
    }
}
