<?php

declare(strict_types=1);

namespace Weft\Bench;

final class Nginx
{
    public static function program(): string
    {
        return Workspace::tool('nginx', 'nginx-light');
    }

    /** One worker: it is never what limits these measurements, and its CPU time counts for the arm. */
    public static function start(Workspace $workspace, int $port, string $location): Process
    {
        $program = self::program();
        $dir = "$workspace->run/nginx-$port";
        if (!is_dir($dir)) {
            mkdir($dir, 0o755, true);
        }
        $user = posix_geteuid() === 0 ? 'user root;' : '';
        $configuration = <<<CONF
            $user
            daemon off;
            worker_processes 1;
            pid $dir/nginx.pid;
            error_log $dir/error.log;
            events { worker_connections 4096; }
            http {
                access_log $dir/access.log;
                client_body_temp_path $dir/body;
                proxy_temp_path $dir/proxy;
                fastcgi_temp_path $dir/fastcgi;
                uwsgi_temp_path $dir/uwsgi;
                scgi_temp_path $dir/scgi;
                keepalive_requests 100000000;
                default_type text/plain;
                server {
                    listen 127.0.0.1:$port backlog=1024;
                    $location
                }
            }

            CONF;
        $file = $workspace->write("nginx-$port.conf", $configuration);
        $process = Process::start('nginx', [$program, '-e', "$dir/start.log", '-p', $dir, '-c', $file], $workspace->log("nginx-$port"));
        if (!Http::reachable($port, 3.0) || !ProcessTree::of($process->pid)->listensOn($port)) {
            $process->stop();
            throw new Failure("nginx did not start on port $port: " . Value::excerpt($process->output()));
        }

        return $process;
    }
}
