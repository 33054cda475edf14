package dev.jdyno.lab.page;

import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.service.RawPage;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// `/item?form=full`: the page of an item, rendered for each request, in four sizes with the same
/// content (E16). `full` is as a template writes it; `squeezed` omits white space that browsers
/// ignore; `merged` writes the list of similar items as data and a script that renders it; `apart`
/// loads the menu separately from `/menu`. `form=empty` is the page without content, which shows a
/// request's cost apart from its bytes.
final class ItemPage implements RawPage {
    private static final int PARAGRAPHS = 600;
    private static final int SIMILAR_ITEMS = 130;
    private static final int MENU_LINKS = 120;

    /// The forms of the page; each includes the reduction of the previous one.
    enum Form {
        FULL,
        SQUEEZED,
        MERGED,
        APART,
        EMPTY
    }

    /// The script that renders in the client the parts that the service no longer writes for each
    /// item.
    private static final String SCRIPT =
            """
            <script>document.getElementById("similar").innerHTML=similar.map(([id,price,sold])=>\
            `<li class="item"><a class="item-link" href="/item?id=${id}" title="Item number ${id}">\
            <img class="item-image" src="/image/${id}.jpg" alt="Item number ${id}"></a>\
            <span class="price">${price}</span><em class="sold">${sold} sold</em></li>`).join("")</script>\
            """;

    @Override
    public void answer(Query query, HttpServletResponse response) throws IOException {
        send(response, page(query.choice("form", Form.FULL), query.id("id")));
    }

    /// Writes the menu alone, which browsers load once and cache.
    static void menu(Query query, HttpServletResponse response) throws IOException {
        Html html = new Html(true);
        writeMenu(html);
        response.setHeader("Cache-Control", "public, max-age=86400");
        send(response, html.text());
    }

    private static void send(HttpServletResponse response, String page) throws IOException {
        byte[] body = page.getBytes(StandardCharsets.UTF_8);
        response.setContentType("text/html;charset=UTF-8");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    static String page(Form form, long id) {
        Html html = new Html(form != Form.FULL);
        html.line(0, "<html><head><title>Item number ", id, "</title></head><body>");
        if (form != Form.EMPTY) {
            if (form == Form.APART) {
                html.line(1, "<script src=\"/menu\" async></script>");
            } else {
                writeMenu(html);
            }
            writeDescription(html, id);
            if (form == Form.FULL || form == Form.SQUEEZED) {
                writeSimilar(html, id);
            } else {
                writeSimilarAsData(html, id);
            }
        }
        html.line(0, "</body></html>");
        return html.text();
    }

    private static void writeMenu(Html html) {
        html.line(1, "<ul class=\"menu\">");
        for (int i = 0; i < MENU_LINKS; i++) {
            html.line(
                    2,
                    "<li><a class=\"menu-link\" href=\"/category?id=",
                    i,
                    "\">All of category number ");
            html.line(3, "<b>", i, "</b></a></li>");
        }
        html.line(1, "</ul>");
    }

    private static void writeDescription(Html html, long id) {
        for (int i = 0; i < PARAGRAPHS; i++) {
            html.line(4, "<p>Item ", id + i, " of lot ", i, " has been checked by hand, weighs ");
            html.line(5, 100 + i % 900, " grams and fits into the usual box of a parcel service.");
            html.line(5, "It is sent on the day of the order when that comes before noon.</p>");
        }
    }

    private static void writeSimilar(Html html, long id) {
        html.line(1, "<ul id=\"similar\">");
        for (long item = id + 1; item <= id + SIMILAR_ITEMS; item++) {
            html.line(3, "<li class=\"item\"><a class=\"item-link\" href=\"/item?id=", item);
            html.line(4, "\" title=\"Item number ", item, "\">");
            html.line(4, "<img class=\"item-image\" src=\"/image/", item);
            html.line(4, ".jpg\" alt=\"Item number ", item, "\"></a>");
            html.line(4, "<span class=\"price\">", price(item), "</span>");
            html.line(4, "<em class=\"sold\">", sold(item), " sold</em></li>");
        }
        html.line(1, "</ul>");
    }

    private static void writeSimilarAsData(Html html, long id) {
        html.line(1, "<ul id=\"similar\"></ul><script>similar=[");
        for (long item = id + 1; item <= id + SIMILAR_ITEMS; item++) {
            html.line(0, "[", item, ",", price(item), ",", sold(item), "],");
        }
        html.line(0, "]</script>");
        html.line(0, SCRIPT);
    }

    private static long price(long item) {
        return 10 + item * 7919 % 990;
    }

    private static long sold(long item) {
        return item * 104_729 % 10_000;
    }

    /// Builds lines of HTML, either indented or joined.
    private static final class Html {
        private static final String INDENT = " ".repeat(16);

        private final StringBuilder text = new StringBuilder();
        private final boolean squeezed;

        Html(boolean squeezed) {
            this.squeezed = squeezed;
        }

        void line(int depth, Object... parts) {
            if (!squeezed) {
                text.append(INDENT, 0, 2 * depth);
            }
            for (Object part : parts) {
                text.append(part);
            }
            if (!squeezed) {
                text.append('\n');
            }
        }

        String text() {
            return text.toString();
        }
    }
}
