import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Compiles its stylesheet in each request. */
class StylesheetKeep {
    private static final TransformerFactory FACTORY = TransformerFactory.newInstance();
    private static final String SHEET =
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'><b><xsl:value-of select='name(*)'/></b></xsl:template></xsl:stylesheet>";

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringWriter out = new StringWriter();
            FACTORY.newTransformer(new StreamSource(new StringReader(SHEET)))
                    .transform(new StreamSource(new StringReader("<a/>")), new StreamResult(out));
            return out.toString();
        });
    }
}
