package shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A small shop with three faults; docs/tutorial.md finds them. */
@SpringBootApplication
public class Shop {
    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }
}
