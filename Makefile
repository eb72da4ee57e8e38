# What people and CI run. Everything that is made goes below var/.

.PHONY: help setup demo test test-extension test-stress test-php test-laravel test-symfony test-e2e test-near test-isolation test-versions test-packages test-apps test-phpt test-asan test-valgrind build bench bench-quick lint db db-stop clean

# make test PHP=8.4: with that PHP, in a Debian of its own (tools/fresh-root), made when there is none yet. What is committed is in there.
there = $(if $(filter command%,$(origin PHP)),tools/fresh-root $(PHP) reuse && tools/fresh-root $(PHP) run)

help:
	@echo 'make demo           set up, then serve examples/laravel on http://127.0.0.1:8000 until Ctrl-C (PORT=… for another port)'
	@echo 'make demo APP=classic  the same with examples/classic, a guestbook in plain PHP, or (APP=symfony) examples/symfony'
	@echo 'make demo TLS=1      the same by HTTPS, with a certificate made for it'
	@echo 'make test           set up, then run every test'
	@echo '  test-extension      the tests of the extension (TESTS="ext/weft/tests/http" for some)'
	@echo '  test-stress         some of them while requests lose their turn in the middle of PHP code'
	@echo '  test-php            the tests of the PHP packages'
	@echo '  test-laravel        the own tests of the example application'
	@echo '  test-symfony        those of the example on Symfony'
	@echo '  test-e2e            the example application behind bin/weft'
	@echo '  test-near           those of PHP that are nearest to what Weft touches, with and without Weft'
	@echo 'make demo PHP=8.4    the same with another PHP, in a Debian of its own: 8.2, 8.4, 8.5 or 8.6, as root (also test and all that begin so)'
	@echo 'make test-versions  every test with every PHP, and a table of what passed: hours (VERSIONS="8.4 8.5" for some)'
	@echo 'make test-isolation  an application under every mode of isolation, with many requests at once (ISOLATION="--case=…" for some)'
	@echo 'make test-packages  well-known Laravel packages, with many visitors at once; needs the network (PACKAGES="--package=livewire" for some)'
	@echo 'make test-apps      applications of Debian, WordPress and others, compared with PHP-FPM; needs the network (APP=wordpress for one, QUICK=1)'
	@echo "make test-phpt      all of PHP's own tests, with and without Weft: hours (TESTS=\"ext/spl\" for some)"
	@echo 'make test-asan      the tests of the extension in a PHP with AddressSanitizer and UBSan, built once (TESTS="ext/weft/tests/http" for some)'
	@echo 'make test-valgrind  some rooms of the extension below valgrind (TESTS="ext/weft/tests/warm" for some)'
	@echo 'make build          build the extension; prints where weft.so is'
	@echo 'make bench          measure Weft against PHP-FPM and others: under 45 minutes (BENCH="database --arm=weft,fpm" for some)'
	@echo 'make bench-quick    the same in some 5 minutes: to see that everything works'
	@echo 'make lint           compiler warnings, PHPStan, code style'
	@echo 'make db, db-stop    start, stop the private PostgreSQL (127.0.0.1:24329; DB_PORT=… for another port)'
	@echo 'make clean          stop the database and remove everything that was made'

setup:
	@tools/setup

demo:
	@$(there) tools/demo

test:
	@$(there) tools/test

test-extension test-stress test-php test-laravel test-symfony test-e2e test-near:
	@$(there) tools/test $(@:test-%=%)

test-versions:
	@tools/test-versions $(VERSIONS)

test-isolation:
	@$(there) tests/isolation/run --mode=plain,opcache,jit-function,jit-tracing,stress,stress-often,http,http-warm,http-jit,http-stress,off $(ISOLATION)

test-packages:
	@$(there) tests/packages/run $(PACKAGES)

test-apps:
	@$(there) tests/apps/run $(if $(QUICK),--quick)

test-asan:
	@$(there) tools/test-asan $(TESTS)

test-valgrind:
	@$(there) tools/test-valgrind $(TESTS)

test-phpt:
	@$(there) tools/test-php-src $(TESTS)

build:
	@tools/build-extension

bench:
	@tools/setup bench
	@bench/run $(BENCH)

bench-quick:
	@tools/setup bench
	@bench/run --quick $(BENCH)

lint:
	@tools/lint

db:
	@tools/setup
	@tools/db start
	@tools/db status

db-stop:
	@tools/db stop

clean:
	@tools/clean
