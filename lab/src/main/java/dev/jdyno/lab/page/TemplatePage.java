package dev.jdyno.lab.page;

import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.service.RawPage;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import gg.jte.output.WriterOutput;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;
import org.apache.velocity.runtime.resource.loader.ClasspathResourceLoader;

/// `/template?page=1&engine=velocity`: one of thirteen pages of 47 to 144 KB, rendered by one of
/// three engines with the same bytes (E15). The text is Chinese, as in the published pages.
final class TemplatePage implements RawPage {
    enum Engine {
        /// Interprets the template and writes through the response's Writer.
        VELOCITY,
        /// Uses the template compiled to Java and writes through the response's Writer.
        COMPILED,
        /// Uses the compiled template with static parts that were encoded at build time.
        BINARY
    }

    /// A template and the number of items that it shows.
    ///
    /// @param template name without extension: `article` is mostly text, `list` has five values in
    ///   470 bytes, `table` five in 150
    record Kind(String template, int items) {}

    static final List<Kind> PAGES =
            List.of(
                    new Kind("article", 63),
                    new Kind("article", 94),
                    new Kind("article", 128),
                    new Kind("article", 162),
                    new Kind("article", 194),
                    new Kind("list", 102),
                    new Kind("list", 155),
                    new Kind("list", 218),
                    new Kind("list", 285),
                    new Kind("table", 330),
                    new Kind("table", 490),
                    new Kind("table", 690),
                    new Kind("table", 900));

    private static final String TITLE = "Thirteen pages";
    private static final String PACKAGE = "dev.jdyno.lab.page.templates";

    private final VelocityEngine velocity = velocity();
    private final TemplateEngine compiled = precompiled("compiled");
    private final TemplateEngine binary = precompiled("binary");
    private final List<List<Item>> items =
            PAGES.stream().map(kind -> Item.first(kind.items())).toList();

    @Override
    public void answer(Query query, HttpServletResponse response) throws IOException {
        int page = query.index("page", PAGES.size());
        String template = PAGES.get(page).template();
        response.setContentType("text/html;charset=UTF-8");
        switch (query.choice("engine", Engine.VELOCITY)) {
            case VELOCITY -> {
                VelocityContext context = new VelocityContext();
                context.put("title", TITLE);
                context.put("items", items.get(page));
                velocity.getTemplate("velocity/" + template + ".vm", "UTF-8")
                        .merge(context, response.getWriter());
            }
            case COMPILED ->
                    compiled.render(
                            template + ".jte",
                            values(page),
                            new WriterOutput(response.getWriter()));
            case BINARY -> {
                Utf8ByteOutput output = new Utf8ByteOutput();
                binary.render(template + ".jte", values(page), output);
                response.setContentLength(output.getContentLength());
                output.writeTo(response.getOutputStream());
            }
        }
    }

    private Map<String, Object> values(int page) {
        return Map.of("title", TITLE, "items", items.get(page));
    }

    private static VelocityEngine velocity() {
        VelocityEngine engine = new VelocityEngine();
        engine.setProperty("resource.loaders", "class");
        engine.setProperty("resource.loader.class.class", ClasspathResourceLoader.class.getName());
        engine.setProperty("resource.loader.class.cache", "true");
        engine.setProperty("resource.loader.class.modification_check_interval", "0");
        engine.init();
        return engine;
    }

    private static TemplateEngine precompiled(String which) {
        return TemplateEngine.createPrecompiled(
                null,
                ContentType.Plain,
                TemplatePage.class.getClassLoader(),
                PACKAGE + "." + which);
    }
}
