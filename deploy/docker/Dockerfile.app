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
# Configuration comes from the container's environment, so config:cache has no place here; routes and views may be cached:
# RUN php artisan route:cache && php artisan view:cache
CMD ["serve", "/app", "--warm=/"]
