import freemarker.template.Configuration;
import freemarker.template.Template;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Map;

/** Parses its FreeMarker template in each request. */
class TemplateKeep {
    private static final Configuration CONFIGURATION =
            new Configuration(Configuration.VERSION_2_3_32);
    private static final String TEXT = "<#if name == 'page'><b>${name}</b></#if>\n".repeat(200);

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringWriter out = new StringWriter();
            new Template("page", new StringReader(TEXT), CONFIGURATION)
                    .process(Map.of("name", "page"), out);
            return out.toString();
        });
    }
}
