import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;

/** Looks for an XML factory in each request. */
class XmlFactoryKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            return builder.parse(
                            new ByteArrayInputStream(
                                    "<order id='1'/>".getBytes(StandardCharsets.UTF_8)))
                    .getDocumentElement()
                    .getTagName();
        });
    }
}
