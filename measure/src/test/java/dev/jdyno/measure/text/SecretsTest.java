package dev.jdyno.measure.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Table of texts with and without secrets.
class SecretsTest {
    /// @param given the original text
    /// @param shown the same text with masked secrets
    record Case(String given, String shown) {
        static Case of(String given, String shown) {
            return new Case(given, shown);
        }

        static Case same(String given) {
            return new Case(given, given);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pass",
                "password",
                "PASSWORD",
                "passwd",
                "dbPassword",
                "DB_PASSWORD",
                "PGPASSWORD",
                "keystorepassword",
                "javax.net.ssl.keyStorePassword",
                "userpass",
                "storepass",
                "passphrase",
                "pwd",
                "MYSQL_PWD",
                "secret",
                "client_secret",
                "clientSecret",
                "SECRET_KEY_BASE",
                "token",
                "access_token",
                "accessToken",
                "X-Auth-Token",
                "FOO_TOKEN",
                "id_token",
                "csrftoken",
                "key",
                "api-key",
                "apiKey",
                "apikey",
                "X-Api-Key",
                "AWS_ACCESS_KEY_ID",
                "aws.secretKey",
                "auth",
                "Authorization",
                "Proxy-Authorization",
                "basicAuth",
                "oauth2",
                "authtoken",
                "Cookie",
                "Set-Cookie",
                "credential",
                "credentials",
                "GOOGLE_CREDENTIALS",
                "spring.datasource.password",
                "user.password[0]",
                "password1",
                "JSESSIONID",
                "sessionId",
                "jwt",
                "X-Amz-Signature",
                "sig"
            })
    void recognisesNameOfSecret(String name) {
        assertThat(Secrets.isSecretName(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "monkey",
                "turkey",
                "keyspace",
                "keyboard",
                "keep-alive",
                "Keep-Alive",
                "keyStore",
                "javax.net.ssl.keyStore",
                "trustStore",
                "key.serializer",
                "password-file",
                "passwordFile",
                "token.url",
                "tokenUri",
                "auth.type",
                "auth.enabled",
                "author",
                "authority",
                "bypass",
                "compass",
                "passive",
                "passenger",
                "pass-through",
                "secretary",
                "tokenizer",
                "max_tokens",
                "maxTokens",
                "primaryKey",
                "partition.key",
                "sortKey",
                "cache-key",
                "publicKey",
                "user",
                "name",
                "id",
                "concurrency",
                "Accept",
                "Content-Type",
                "Host",
                "url",
                "signal",
                "design",
                "session",
                "compassion",
                ""
            })
    void recognisesHarmlessName(String name) {
        assertThat(Secrets.isSecretName(name)).isFalse();
    }

    static List<Case> texts() {
        return List.of(
                // URLs
                Case.of("http://u:p@h/", "http://***@h/"),
                Case.of("http://token@h:80/a", "http://***@h:80/a"),
                Case.of("http://u:p@ss@h/", "http://***@h/"),
                Case.of("http://u:p/w@h/", "http://***@h/"),
                Case.of("see 'https://u:p@h/x', please", "see 'https://***@h/x', please"),
                Case.of(
                        "jdbc:postgresql://u:p@h/db?user=x&password=y&ssl=true",
                        "jdbc:postgresql://***@h/db?user=x&password=***&ssl=true"),
                Case.of(
                        "http://h/a?access_token=x&id=1#key=y",
                        "http://h/a?access_token=***&id=1#key=***"),
                Case.of("http://h/a;jsessionid=x?id=1", "http://h/a;jsessionid=***?id=1"),
                Case.of("GET /login?token=x&id=1 HTTP/1.1", "GET /login?token=***&id=1 HTTP/1.1"),
                Case.same("http://h:8080/a?monkey=1&keyspace=2&id=3"),
                Case.same("http://h:8080/a?mail=a@b.example"),
                Case.same("http://${USER}:${PASS}@h/"),
                // assignments
                Case.of("-Dspring.datasource.password=x", "-Dspring.datasource.password=***"),
                Case.of(
                        "-Djavax.net.ssl.keyStorePassword=x",
                        "-Djavax.net.ssl.keyStorePassword=***"),
                Case.of("-Dkey=x", "-Dkey=***"),
                Case.of("FOO_TOKEN=x BAR=y", "FOO_TOKEN=*** BAR=y"),
                Case.of("password = x", "password = ***"),
                Case.of("password=\"a b\" next", "password=\"***\" next"),
                Case.of("password='a b' next", "password='***' next"),
                Case.of("auth=Bearer abc next", "auth=Bearer *** next"),
                Case.of(
                        "LoginModule required username=\"u\" password=\"p\";",
                        "LoginModule required username=\"u\" password=\"***\";"),
                Case.same("-Djavax.net.ssl.keyStore=/etc/ks.p12"),
                Case.same("auth=true token=null key="),
                Case.same("password=${DB_PASSWORD}"),
                // options
                Case.of("--api-key x --port 80", "--api-key *** --port 80"),
                Case.of("--api-key=x --port=80", "--api-key=*** --port=80"),
                Case.of("-storepass changeit -v", "-storepass *** -v"),
                Case.of("--password 'a b'", "--password '***'"),
                Case.same("--auth --verbose -c 50"),
                Case.same("--keyspace x --monkey y --keep-alive 5"),
                Case.same("-XX:+UseG1GC -XX:MaxGCPauseMillis=200 -XX:G1HeapRegionSize=1m -Xmx1g"),
                // headers
                Case.of("Authorization: Bearer x", "Authorization: Bearer ***"),
                Case.of("Authorization: x y z", "Authorization: ***"),
                Case.of("Cookie: a=b; c=d", "Cookie: ***"),
                Case.of("Cookie: a\nHost: b", "Cookie: ***\nHost: b"),
                Case.of("-H \"X-Api-Key: x y\" http://h/", "-H \"X-Api-Key: ***\" http://h/"),
                Case.of("refused: Bearer abcdef123456", "refused: Bearer ***"),
                Case.same("Keep-Alive: timeout=5, max=1000"),
                Case.same("Accept: text/plain"),
                // JSON
                Case.of("{\"password\":\"x\"}", "{\"password\":\"***\"}"),
                Case.of(
                        "{\"a\": {\"apiKey\" : \"x\", \"b\": 1}}",
                        "{\"a\": {\"apiKey\" : \"***\", \"b\": 1}}"),
                Case.of("{\"token\":12,\"n\":1}", "{\"token\":\"***\",\"n\":1}"),
                Case.of("{\"tokens\":[\"x\",\"y\"],\"n\":1}", "{\"tokens\":\"***\",\"n\":1}"),
                Case.of("{\"secret\":{\"v\":\"x}\"},\"n\":1}", "{\"secret\":\"***\",\"n\":1}"),
                Case.of("{\"password\":\"a\\\"b\",\"n\":1}", "{\"password\":\"***\",\"n\":1}"),
                Case.of(
                        "{\\\"password\\\":\\\"x\\\",\\\"n\\\":1}",
                        "{\\\"password\\\":\\\"***\\\",\\\"n\\\":1}"),
                Case.of("{'password':'x'}", "{'password':'***'}"),
                Case.same("{\"auth\":true,\"keyspace\":\"x\",\"token\":null}"),
                Case.same("{\"user\": \"${name}\", \"password\": \"${word}\"}"),
                // others
                Case.of("<a><password>x</password></a>", "<a><password>***</password></a>"),
                Case.of("<login password=\"x\" id=\"1\"/>", "<login password=\"***\" id=\"1\"/>"),
                Case.of(
                        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nx\r\n--b--",
                        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n***\r\n--b--"),
                Case.of(
                        "-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----",
                        "-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----"),
                Case.of("password: x", "password: ***"),
                Case.of("password:x", "password:***"),
                // prose and code
                Case.same("at com.acme.Token.check(Token.java:42)"),
                Case.same("plan.yaml:3 headers.Authorization: expected one value"),
                Case.same("the lock com.acme.Key is held by 'http-nio-8080-exec-1'"),
                Case.same("CPU 100 % of the cores available to it (1.91 of 1.92)"),
                Case.same("java.util.concurrent.locks.ReentrantLock$NonfairSync@1f2e"),
                Case.same(""));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void masksSecretsInAnyText(Case c) {
        assertThat(Secrets.text(c.given())).isEqualTo(c.shown());
        assertThat(Secrets.text(c.shown())).isEqualTo(c.shown());
    }

    @ParameterizedTest
    @MethodSource("texts")
    void maskedBodyIsUnchangedByMaskingAgain(Case c) {
        String body = Secrets.body(c.given());
        assertThat(Secrets.body(body)).isEqualTo(body);
    }

    static List<Case> bodies() {
        return List.of(
                Case.of("user=a&password=b c&n=1", "user=a&password=***&n=1"),
                Case.of("password=x", "password=***"),
                Case.of("a=1&client_secret=x,y;z", "a=1&client_secret=***"),
                Case.of(
                        "{\"user\":\"a\",\"password\":\"x\"}",
                        "{\"user\":\"a\",\"password\":\"***\"}"),
                Case.same("user=a&monkey=b&token="),
                Case.same("plain text"));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void masksSecretsInEachKindOfBody(Case c) {
        assertThat(Secrets.body(c.given())).isEqualTo(c.shown());
    }

    /// The words of a command line, separated by `|`.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    run|-H|Authorization: Bearer x|http://h/ ; run -H 'Authorization: Bearer ***' http://h/
                    run|-HAuthorization: x|http://h/ ; run '-HAuthorization: ***' http://h/
                    run|--header=Cookie: a=b|http://h/ ; run '--header=Cookie: ***' http://h/
                    run|-H|Accept: text/plain ; run -H 'Accept: text/plain'
                    run|-H|@headers.txt|-b|@body.json ; run -H @headers.txt -b @body.json
                    run|-H|Authorization Bearer x ; run -H 'Authorization Bearer ***'
                    run|http://u:p@h/?token=x&a=1 ; run http://***@h/?token=***&a=1
                    load|-b|{"password":"x"}|-d|5s ; load -b '{"password":"***"}' -d 5s
                    load|-b|user=a&password=x y|-d|5s ; load -b user=a&password=*** -d 5s
                    load|-bpassword=x ; load -bpassword=***
                    run|--launch|java -Dp.password=x -jar a.jar --api-key y ; run --launch 'java -Dp.password=*** -jar a.jar --api-key ***'
                    run|--launch|java -jar a.jar "--password=a b" ; run --launch 'java -jar a.jar --password=***'
                    java|-Dkey=a,b&c d|-jar|a.jar ; java -Dkey=*** -jar a.jar
                    env|FOO_TOKEN=a b|java ; env FOO_TOKEN=*** java
                    app|--password|-s3cret|-v ; app --password *** -v
                    app|--password|a b ; app --password ***
                    app|--auth|--verbose|--token|-Xmx1g ; app --auth --verbose --token -Xmx1g
                    curl|-u|me:x ; curl -u me:***
                    java|-XX:OnOutOfMemoryError=kill --token x ; java '-XX:OnOutOfMemoryError=kill --token ***'
                    java|-XX:+UseZGC|-Xlog:gc*:file=gc.log|-cp|a.jar:b.jar ; java -XX:+UseZGC -Xlog:gc*:file=gc.log -cp a.jar:b.jar
                    java|-javaagent:/a.jar=host=h,token=x ; java -javaagent:/a.jar=host=h,token=***
                    """)
    void masksSecretsInWordsOfACommandLine(String words, String shown) {
        List<String> given = Arrays.asList(words.split("\\|"));
        assertThat(Secrets.commandLine(given)).isEqualTo(shown);
        assertThat(Secrets.text(shown)).as("masking twice").isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    java -Dp.password=x -jar a.jar        | java -Dp.password=*** -jar a.jar
                    java -jar a.jar --token "a b" -p 80   | java -jar a.jar --token *** -p 80
                    java -jar a.jar --token 'a b' -p 80   | java -jar a.jar --token *** -p 80
                    sh -c "exec java -Dkey=x -jar a.jar"  | sh -c 'exec java -Dkey=*** -jar a.jar'
                    java  -jar   "my app.jar"             | java  -jar   "my app.jar"
                    java -jar a.jar --it's                | java -jar a.jar --it's
                    java -Dx.password=${P} -jar a.jar     | java -Dx.password=${P} -jar a.jar
                    """)
    void masksSecretsOfTypedCommandLine(String typed, String shown) {
        assertThat(Secrets.commandLine(typed)).isEqualTo(shown);
    }

    /// A class path can have thousands of characters.
    @Test
    void masksALongCommandLine() {
        String path = "/lib/a.jar:".repeat(20_000);
        String quoted = "\"" + "\\\"x".repeat(50_000) + "\"";

        assertThat(Secrets.commandLine("java -cp " + path + " --password=x " + quoted))
                .isEqualTo("java -cp " + path + " --password=*** " + quoted);
    }

    @ParameterizedTest
    @CsvSource({
        "Authorization,Bearer x,Bearer ***",
        "Authorization,x,***",
        "Authorization,Bearer ${TOKEN},Bearer ${TOKEN}",
        "Cookie,a=b,***",
        "Cookie,a=${B}; c=${D},a=${B}; c=${D}",
        "Cookie,a=${B}; c=d,***",
        "Authorization,x${TOKEN},***",
        "Referer,http://h/?token=x,http://h/?token=***",
        "Accept,text/plain,text/plain",
        "X-Auth-Enabled,x,x",
        "X-Auth,true,true"
    })
    void masksTheValueOfAHeader(String name, String value, String shown) {
        assertThat(Secrets.value(name, value)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"u:p@h:80,h:80", "h:80,h:80", "u:p@ss@h,h", "[::1]:80,[::1]:80"})
    void leavesTheUserOutOfAnAuthority(String authority, String shown) {
        assertThat(Secrets.withoutUser(authority)).isEqualTo(shown);
    }
}
