package io.lockkeeper.spring.boot;

import io.lockkeeper.spi.support.DurationText;
import io.lockkeeper.spi.support.Spelling;
import java.beans.PropertyDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Refuses properties {@code lockkeeper.*} that nothing reads, such as misspelt ones, and numbers
 * where a duration needs its unit. Spring Boot itself would leave out the first and take the second
 * for milliseconds.
 *
 * <p>Environment variables are not refused, because others set some with this prefix too:
 * Kubernetes does for a service that is called lockkeeper. One that looks misspelt is a warning.
 *
 * <p>No message repeats a value: under a wrong name it may be a URL with a password.
 */
final class PropertyCheck implements BeanFactoryPostProcessor {

  private static final System.Logger LOG = System.getLogger("io.lockkeeper.spring");

  private static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of("lockkeeper");

  /** Of lockkeeper-junit, which reads it as a system property. */
  private static final ConfigurationPropertyName TESTS =
      ConfigurationPropertyName.of("lockkeeper.test");

  private final ConfigurableEnvironment environment;

  /** The types of the properties by their names, in which {@code locks} stands for all patterns. */
  private final Map<String, Class<?>> known = new TreeMap<>();

  PropertyCheck(ConfigurableEnvironment environment) {
    this.environment = environment;
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
    collect("", LockkeeperProperties.class);
    collect("deadlocks.", LockkeeperProperties.Deadlocks.class);
    collect("annotation.", LockkeeperProperties.Annotation.class);
    collect("locks.", LockkeeperProperties.Lock.class);
    ClassLoader loader = beans.getBeanClassLoader();
    if (ClassUtils.isPresent("io.lockkeeper.redis.RedisStores", loader)) {
      collect("redis.", LockkeeperRedisProperties.class);
    }
    if (ClassUtils.isPresent("io.lockkeeper.jdbc.JdbcStores", loader)) {
      collect("jdbc.", LockkeeperJdbcProperties.class);
    }
    List<String> unknown = new ArrayList<>();
    Set<ConfigurationPropertyName> seen = new HashSet<>();
    for (ConfigurationPropertySource source :
        ConfigurationPropertySources.from(environment.getPropertySources())) {
      if (source instanceof IterableConfigurationPropertySource all) {
        all.stream()
            .filter(name -> PREFIX.isAncestorOf(name) && !TESTS.isAncestorOf(name))
            .filter(seen::add) // those of later sources have no effect
            .forEach(name -> check(name, all, unknown));
      }
    }
    if (!unknown.isEmpty()) {
      throw new StartException(
          String.join(" ", unknown),
          "Correct the names. Known are: "
              + known.keySet().stream().map(PropertyCheck::shown).collect(Collectors.joining(", "))
              + ".");
    }
  }

  /** Notes the properties of a class. */
  private void collect(String prefix, Class<?> type) {
    for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
      if (property.getWriteMethod() != null) {
        String name = property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        known.put(prefix + name, property.getPropertyType());
      }
    }
  }

  private void check(
      ConfigurationPropertyName name,
      IterableConfigurationPropertySource source,
      List<String> unknown) {
    ConfigurationProperty property = source.getConfigurationProperty(name);
    String key = key(name);
    boolean isVariable = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    Optional<String> match =
        known.keySet().stream().filter(k -> same(k, key, isVariable)).findFirst();
    if (match.isPresent()) {
      checkUnit(name, known.get(match.get()), property);
    } else if (isVariable) {
      Spelling.nearest(key, known.keySet())
          .ifPresent(
              near ->
                  LOG.log(
                      System.Logger.Level.WARNING,
                      "The environment variable {0} has no effect. Did you mean {1}?",
                      variable(name.toString()),
                      variable(shown(near))));
    } else if (!isEmptyGroup(key) && !hasNoModule(key)) {
      unknown.add(
          name
              + (property == null || property.getOrigin() == null
                  ? ""
                  : " (" + property.getOrigin() + ")")
              + " is not known"
              + Spelling.nearest(key, known.keySet())
                  .map(near -> ". Did you mean " + shown(near) + "?")
                  .orElse("."));
    }
  }

  /** The value that YAML gives a name without anything below it. */
  private boolean isEmptyGroup(String key) {
    return known.keySet().stream().anyMatch(k -> k.startsWith(key + "."));
  }

  /** Properties of a store whose module is not there have no effect, and are no mistake. */
  private boolean hasNoModule(String key) {
    return List.of("redis.", "jdbc.").stream()
        .anyMatch(
            group ->
                key.startsWith(group)
                    && known.keySet().stream().noneMatch(k -> k.startsWith(group)));
  }

  private void checkUnit(
      ConfigurationPropertyName name,
      @Nullable Class<?> type,
      @Nullable ConfigurationProperty property) {
    if (type == Duration.class && property != null) {
      String text = environment.resolvePlaceholders(String.valueOf(property.getValue())).strip();
      try {
        DurationText.parse(text);
      } catch (IllegalArgumentException e) {
        throw new StartException(
            name + " is '" + text + "', which " + e.getMessage() + ".",
            "Give the number its unit, such as 10s or 10ms.");
      }
    }
  }

  /** Returns the name as {@link #known} has it, without the pattern of locks. */
  private static String key(ConfigurationPropertyName name) {
    List<String> elements = new ArrayList<>();
    for (int i = 1; i < name.getNumberOfElements(); i++) {
      elements.add(name.getElement(i, Form.DASHED));
    }
    if (elements.get(0).equals("locks") && elements.size() > 1) {
      elements.remove(1);
    }
    return String.join(".", elements);
  }

  private static String shown(String key) {
    return "lockkeeper." + key.replaceFirst("^locks\\.", "locks[PATTERN].");
  }

  private static String variable(String property) {
    return property.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
  }

  /** Returns whether Spring Boot takes both for the same: a variable has _ for dots and dashes. */
  private static boolean same(String one, String other, boolean isVariable) {
    return isVariable
        ? letters(one).equals(letters(other))
        : one.replace("-", "").equals(other.replace("-", ""));
  }

  private static String letters(String key) {
    return key.replaceAll("[.-]", "");
  }
}
