<?php

declare(strict_types=1);

namespace Weft\Bench\Arms;

use Weft\Bench\Failure;
use Weft\Bench\Nginx;
use Weft\Bench\Process;
use Weft\Bench\ProcessTree;
use Weft\Bench\Server;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

/** PHP-FPM with a static pool behind nginx, both from configurations made here, never the system's services. */
final class FpmServer implements Server
{
    private function __construct(private readonly Process $fpm, private readonly Process $nginx, private readonly int $port)
    {
    }

    /**
     * @param array<string, string> $env
     * @param array<string, string> $ini
     */
    public static function start(Workspace $workspace, string $application, int $children, array $env, array $ini = []): self
    {
        $program = Workspace::phpFpm();
        $nginx = Nginx::program();
        $port = $workspace->port();
        $socket = "$workspace->run/fpm-$port.sock";
        // One that was killed has left its socket, which would pass for that of this one.
        @unlink($socket);
        $pool = self::pool($workspace, $socket, $children);
        $options = posix_geteuid() === 0 ? ['--allow-to-run-as-root'] : [];
        foreach ($ini as $name => $value) {
            array_push($options, '-d', "$name=$value");
        }
        $fpm = Process::start(
            'php-fpm',
            [$program, '--nodaemonize', '--fpm-config', $workspace->write("fpm-$port.conf", $pool), ...$options],
            $workspace->log("fpm-$port"),
            $env,
        );
        for ($i = 0; $i < 300 && !file_exists($socket) && $fpm->isRunning(); $i++) {
            usleep(10_000);
        }
        if (!file_exists($socket)) {
            $fpm->stop();
            throw new Failure('php-fpm did not start: ' . Value::excerpt($fpm->output()));
        }
        $index = "$application/public/index.php";
        $params = '';
        foreach (['QUERY_STRING', 'REQUEST_METHOD', 'CONTENT_TYPE', 'CONTENT_LENGTH', 'REQUEST_URI', 'SERVER_PROTOCOL',
            'REMOTE_ADDR', 'REMOTE_PORT', 'SERVER_ADDR', 'SERVER_PORT', 'SERVER_NAME'] as $name) {
            $params .= "fastcgi_param $name \$" . strtolower($name) . ";\n";
        }
        $location = <<<CONF
            location / {
                fastcgi_pass unix:$socket;
                fastcgi_read_timeout 120s;
                fastcgi_param SCRIPT_FILENAME $index;
                fastcgi_param SCRIPT_NAME /index.php;
                fastcgi_param DOCUMENT_ROOT $application/public;
                fastcgi_param GATEWAY_INTERFACE CGI/1.1;
                $params
            }
            CONF;
        try {
            $server = Nginx::start($workspace, $port, $location);
        } catch (Failure $e) {
            $fpm->stop();
            throw $e;
        }

        return new self($fpm, $server, $port);
    }

    public function port(): int
    {
        return $this->port;
    }

    public function processes(): ProcessTree
    {
        return ProcessTree::of($this->fpm->pid, $this->nginx->pid);
    }

    public function output(): string
    {
        return $this->fpm->output() . $this->nginx->output();
    }

    public function stop(): ?string
    {
        $complaints = array_filter([$this->nginx->stop(), $this->fpm->stop()]);

        return $complaints === [] ? null : implode('; ', $complaints);
    }

    private static function pool(Workspace $workspace, string $socket, int $children): string
    {
        $user = posix_geteuid() === 0 ? "user = root\ngroup = root" : '';

        return <<<CONF
            [global]
            error_log = $workspace->run/log/fpm-error.log
            [bench]
            $user
            listen = $socket
            listen.backlog = 1024
            pm = static
            pm.max_children = $children
            clear_env = no
            catch_workers_output = yes

            CONF;
    }
}
