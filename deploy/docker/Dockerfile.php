# The same on the official image of PHP, whose tag decides on PHP's version (8.2, 8.4 or 8.5; 8.3 is not
# tested; "cli", not "zts" and not "alpine"):
#
#   docker build -f deploy/docker/Dockerfile.php --build-arg PHP=8.4 -t weft .
ARG PHP=8.4
FROM php:${PHP}-cli-trixie AS build
RUN apt-get update && apt-get install --yes --no-install-recommends libbrotli-dev libhiredis-dev libllhttp-dev libnghttp2-dev \
    libssl-dev libwslay-dev libzstd-dev pkg-config unzip zlib1g-dev
COPY --from=composer:2 /usr/bin/composer /usr/local/bin/composer
COPY . /src
WORKDIR /src
RUN tools/build-extension \
    && composer install --no-dev --no-interaction --optimize-autoloader \
    && mkdir -p /opt/weft \
    && cp -a bin packages vendor composer.json /opt/weft/ \
    && install -D -m 644 var/build/modules/weft.so /opt/weft/weft.so \
    && chmod -R a+rX /opt/weft

FROM php:${PHP}-cli-trixie
# what frameworks ask for; add what the application needs. OPcache is part of PHP from 8.5 on.
RUN apt-get update && apt-get install --yes --no-install-recommends libbrotli1 libhiredis1.1.0 libicu-dev libllhttp9.2 libnghttp2-14 \
    libssl3t64 libwslay1 libzstd1 libpq-dev libzip-dev \
    && docker-php-ext-install -j"$(nproc)" intl pcntl pdo_mysql pdo_pgsql zip \
    && (php -m | grep -q 'Zend OPcache' || docker-php-ext-install opcache) \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/weft /opt/weft
RUN ln -s /opt/weft/bin/weft /usr/local/bin/weft
ENV WEFT_EXTENSION=/opt/weft/weft.so WEFT_HOST=0.0.0.0 WEFT_PORT=8000 WEFT_ADMIN=0.0.0.0:9000
WORKDIR /app
USER www-data
EXPOSE 8000 9000
HEALTHCHECK --start-period=60s CMD ["php", "-r", "exit(@file_get_contents('http://127.0.0.1:9000/readyz') === false ? 1 : 0);"]
ENTRYPOINT ["weft"]
CMD ["serve", "/app"]
