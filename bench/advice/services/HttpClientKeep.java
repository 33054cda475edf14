import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;

/** Makes an HTTP client in each request. */
class HttpClientKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int made = 0;
            for (int i = 0; i < 5; i++) {
                try (CloseableHttpClient client = HttpClients.createDefault()) {
                    made += client == null ? 0 : 1;
                }
            }
            return "made " + made;
        });
    }
}
