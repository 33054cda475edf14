import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** Reads its YAML in each request. */
class YamlKeep {
    private static final String TEXT = "server: {port: 80}\nitems: [" + "a, ".repeat(200) + "b]\n";

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return "keys " + ((Map<?, ?>) new Yaml().load(TEXT)).size();
        });
    }
}
