package dev.jdyno.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpUrlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    http://my_service:8080/ ; my_service ; 8080
                    http://my_service ; my_service ; 80
                    http://user:pw@my_service:81/ ; my_service ; 81
                    https://shop.example/x ; shop.example ; 443
                    http://[::1]:8080/ ; [::1] ; 8080
                    http://LOCALHOST:1 ; LOCALHOST ; 1
                    """)
    void findsHostAndPortForAnyHostForm(String url, String host, int port) {
        assertThat(HttpUrl.host(HttpUrl.parse(url))).contains(host);
        assertThat(HttpUrl.port(HttpUrl.parse(url))).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    http://h/a b?q=x y        ; /a%20b  ; q=x%20y
                    http://h/?f={"a":[1]}     ; /       ; f=%7B%22a%22:%5B1%5D%7D
                    http://h/a|b              ; /a%7Cb  ;
                    http://h/100%?p=5%        ; /100%25 ; p=5%25
                    http://h/%C3%A9?p=%20     ; /%C3%A9 ; p=%20
                    http://h/é                ; /%C3%A9 ;
                    http://h?q=1              ; ''      ; q=1
                    http://my_service/{id}    ; /%7Bid%7D ;
                    """)
    void encodesCharactersNotAllowedInUri(String url, String path, String query) {
        assertThat(HttpUrl.parse(url).getRawPath()).isEqualTo(path);
        assertThat(HttpUrl.parse(url).getRawQuery()).isEqualTo(query);
    }

    @ParameterizedTest
    @CsvSource({
        "http://h/a%20b?c=%7B1%7D, http://h:9/a%20b?c=%7B1%7D",
        "https://u:p@my_service:8080/x, https://u:p@my_service:9/x",
        "http://my_service, http://my_service:9",
        "http://[::1]:80/, http://[::1]:9/"
    })
    void changesOnlyPort(String url, String at) {
        assertThat(HttpUrl.at(HttpUrl.parse(url), 9)).hasToString(at);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://h/",
                "h:80/",
                "http:///x",
                "http://",
                "http://h:99999/",
                "http://my_service:x/",
                "http://my_service:99999/",
                "http://a b/",
                "http://h/\u001b[2J",
                "http://h/a\nb"
            })
    void refusesInvalidAddress(String url) {
        assertThatThrownBy(() -> HttpUrl.parse(url)).isInstanceOf(IllegalArgumentException.class);
    }
}
