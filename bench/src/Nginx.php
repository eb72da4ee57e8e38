<?php

declare(strict_types=1);

namespace Weft\Bench;

final class Nginx
{
    private const PARAMETERS = ['QUERY_STRING', 'REQUEST_METHOD', 'CONTENT_TYPE', 'CONTENT_LENGTH', 'REQUEST_URI', 'SERVER_PROTOCOL',
        'REMOTE_ADDR', 'REMOTE_PORT', 'SERVER_ADDR', 'SERVER_PORT', 'SERVER_NAME'];

    /** Before PHP-FPM, as people have it. */
    private const LOGGED = 'access_log access.log;';

    /** The best that it has for files, with sendfile and tcp_nopush, by which a frame of HTTP/2 without TLS waits for 40 ms. Other arms write no log of requests then. */
    private const FILES = <<<'CONF'
        access_log off;
        open_file_cache max=1000 inactive=60s;
        open_file_cache_valid 30s;
        CONF;

    public static function program(): string
    {
        return Program::find('nginx', 'nginx-light');
    }

    /**
     * A file of this content at /NAME.
     *
     * @param string|null $files a directory to serve as /static/
     */
    public static function static(
        Workspace $workspace,
        string $name,
        string $content,
        ?string $files = null,
        Listens $listens = Listens::Http,
        ?Certificate $certificate = null,
    ): Server {
        Workspace::directory("$workspace->run/static");
        $workspace->write("static/$name", $content);

        $location = self::tls($listens, $certificate) . " root $workspace->run/static;" . self::files($files);
        $settings = self::FILES . ($listens === Listens::Http2 ? '' : ' sendfile on; tcp_nopush on;');

        return self::start($workspace, $workspace->port(), $location, settings: $settings, listens: $listens);
    }

    public static function before(Program $fpm, string $socket, Workspace $workspace, int $port, string $public, Site $site): Server
    {
        $parameters = implode("\n", array_map(static fn (string $name): string => "fastcgi_param $name \$" . strtolower($name) . ';', self::PARAMETERS));
        try {
            return self::start($workspace, $port, <<<CONF
                location / {
                    fastcgi_pass unix:$socket;
                    fastcgi_read_timeout 120s;
                    fastcgi_param SCRIPT_FILENAME $public/index.php;
                    fastcgi_param SCRIPT_NAME /index.php;
                    fastcgi_param DOCUMENT_ROOT $public;
                    fastcgi_param GATEWAY_INTERFACE CGI/1.1;
                    $parameters
                }

                CONF . self::tls($site->listens, $site->certificate) . self::files($site->files), [$fpm], listens: $site->listens);
        } catch (Failure $e) {
            $fpm->stop();
            throw $e;
        }
    }

    private static function tls(Listens $listens, ?Certificate $certificate): string
    {
        return $listens !== Listens::Tls || $certificate === null ? ''
            : "ssl_certificate $certificate->file; ssl_certificate_key $certificate->key; ssl_protocols TLSv1.2 TLSv1.3;";
    }

    private static function files(?string $directory): string
    {
        return $directory === null ? '' : "location /static/ { alias $directory/; }";
    }

    /**
     * One worker: it is never what limits these measurements, and its CPU time counts for the arm.
     *
     * @param list<Program> $behind
     */
    private static function start(
        Workspace $workspace,
        int $port,
        string $location,
        array $behind = [],
        string $settings = self::LOGGED,
        Listens $listens = Listens::Http,
    ): Server {
        $directory = Workspace::directory("$workspace->run/nginx-$port");
        $speaks = ['http' => '', 'h2c' => 'http2', 'https' => 'ssl http2'][$listens->value];
        $user = posix_geteuid() === 0 ? 'user root;' : '';
        $file = $workspace->write("nginx-$port.conf", <<<CONF
            $user
            daemon off;
            worker_processes 1;
            pid $directory/nginx.pid;
            error_log $directory/error.log;
            events { worker_connections 4096; }
            http {
                $settings
                client_body_temp_path $directory/body;
                proxy_temp_path $directory/proxy;
                fastcgi_temp_path $directory/fastcgi;
                uwsgi_temp_path $directory/uwsgi;
                scgi_temp_path $directory/scgi;
                keepalive_requests 100000000;
                client_max_body_size 32m;
                default_type text/plain;
                types {
                    text/css css; text/javascript js; text/html html; application/json json;
                    image/svg+xml svg; image/webp webp; font/woff2 woff2;
                }
                server {
                    listen 127.0.0.1:$port backlog=1024 $speaks;
                    $location
                }
            }

            CONF);

        return Server::start($workspace, 'nginx', [self::program(), '-e', "$directory/start.log", '-p', $directory, '-c', $file], $port, behind: $behind, listens: $listens);
    }
}
