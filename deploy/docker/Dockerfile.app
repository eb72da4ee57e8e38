# An application in a container: an example for Laravel. Copy it into the application, beside a .dockerignore that names
# .env, .git, node_modules, storage/logs and vendor.
FROM composer:2 AS packages
WORKDIR /app
COPY composer.json composer.lock ./
RUN composer install --no-dev --no-interaction --no-scripts --ignore-platform-reqs
COPY . .
RUN composer dump-autoload --no-dev --optimize

FROM weft
COPY --from=packages --chown=www-data /app /app
# configuration may come from the container's environment: it is cached when the container starts
CMD ["serve", "/app", "--warm=/"]
