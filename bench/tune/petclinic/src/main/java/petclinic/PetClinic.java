package petclinic;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/// A clinic for pets: owners, their pets and their visits, in an in-memory H2 database.
@SpringBootApplication
public class PetClinic {
    public static void main(String[] args) {
        SpringApplication.run(PetClinic.class, args);
    }
}
