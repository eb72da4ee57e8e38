<?php

declare(strict_types=1);

namespace Weft\TestSupport;

use RuntimeException;

/**
 * A document root behind nginx and PHP-FPM, as they are usually configured for an application with a front controller,
 * to compare with what `bin/weft serve` answers. Both have configurations of their own, never the system's; PHP reads
 * the php.ini that this process has read.
 *
 *     $fpm = new PhpFpm("$directory/public", ['DATABASE' => 'x']);
 *     file_get_contents("$fpm->url/page");
 *     $fpm->stop();
 */
final class PhpFpm
{
    private const PATIENCE = 30.0;

    public readonly string $url;
    private readonly string $directory;
    private readonly Program $fpm;
    private readonly Program $nginx;

    /**
     * @param array<string, string> $environment of the scripts
     * @param int $children so many requests at once
     * @param list<string> $settings of php.ini: name=value
     * @param string|null $address HOST:PORT where it listens; without one, a free port
     * @param string $name what the site is called
     */
    public function __construct(
        string $root,
        array $environment = [],
        int $children = 4,
        array $settings = [],
        ?string $address = null,
        string $name = 'localhost',
    ) {
        // not below the checkout: a socket's path has room for 107 bytes
        $this->directory = sys_get_temp_dir() . '/weft-fpm-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
        $address ??= '127.0.0.1:' . self::freePort();
        $this->url = "http://$address";
        // what PHP-FPM refuses in a path: ".."
        $root = (string) realpath($root);
        $this->fpm = $this->startFpm($root, $environment, $children, $settings);
        $this->await(fn (): bool => file_exists("$this->directory/socket"), $this->fpm);
        $this->nginx = $this->startNginx($root, $address, $name);
        $this->await(static fn (): bool => self::listens($address), $this->nginx);
    }

    public function __destruct()
    {
        $this->stop();
    }

    /**
     * Of both, for who measures.
     *
     * @return list<int>
     */
    public function pids(): array
    {
        return [$this->fpm->pid, $this->nginx->pid];
    }

    /**
     * What both have complained about.
     */
    public function errors(): string
    {
        return $this->fpm->output() . $this->nginx->output();
    }

    public function stop(): void
    {
        if (!is_dir($this->directory)) {
            return;
        }
        $this->nginx->end();
        $this->fpm->end();
        Program::run(['rm', '-rf', $this->directory]);
    }

    /**
     * @param array<string, string> $environment
     * @param list<string> $settings
     */
    private function startFpm(string $root, array $environment, int $children, array $settings): Program
    {
        $user = posix_geteuid() === 0 ? "user = root\ngroup = root" : '';
        file_put_contents("$this->directory/fpm.conf", <<<CONF
            [global]
            error_log = $this->directory/fpm-error.log
            [www]
            $user
            listen = $this->directory/socket
            listen.backlog = 1024
            pm = static
            pm.max_children = $children
            clear_env = no
            catch_workers_output = yes

            CONF);
        $command = [self::find('php-fpm' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION), '--nodaemonize', '--fpm-config', "$this->directory/fpm.conf"];
        array_push($command, ...(posix_geteuid() === 0 ? ['--allow-to-run-as-root'] : []));
        $ini = php_ini_loaded_file();
        array_push($command, ...($ini === false ? ['-n'] : ['-c', $ini]));
        foreach ($settings as $setting) {
            array_push($command, '-d', $setting);
        }
        $scanned = explode(',', (string) php_ini_scanned_files())[0];
        $scan = $scanned === '' ? [] : ['PHP_INI_SCAN_DIR' => dirname(trim($scanned))];

        // shutdown functions run in the directory that it was started in; Weft's run in the document root
        return new Program($command, "$this->directory/fpm.log", directory: $root, environment: $environment + $scan);
    }

    /** What docs/classic.md says of paths, in nginx's words. */
    private function startNginx(string $root, string $address, string $name): Program
    {
        $user = posix_geteuid() === 0 ? 'user root;' : '';
        $log = "$this->directory/nginx-error.log";
        file_put_contents("$this->directory/nginx.conf", <<<CONF
            $user
            daemon off;
            worker_processes 1;
            pid $this->directory/nginx.pid;
            error_log $log;
            events { worker_connections 1024; }
            http {
                access_log off;
                include /etc/nginx/mime.types;
                client_max_body_size 64m;
                fastcgi_buffers 64 64k;
                fastcgi_buffer_size 64k;
                client_body_temp_path $this->directory/body;
                proxy_temp_path $this->directory/proxy;
                fastcgi_temp_path $this->directory/fastcgi;
                uwsgi_temp_path $this->directory/uwsgi;
                scgi_temp_path $this->directory/scgi;
                server {
                    listen $address backlog=1024;
                    server_name $name;
                    root $root;
                    index index.php index.html;
                    absolute_redirect off;
                    # Weft, too, sends a .gz that lies beside a file
                    gzip_static on;
                    gzip_vary on;
                    location / { try_files \$uri \$uri/ /index.php\$is_args\$args; }
                    location ~ /\.(?!well-known) { return 404; }
                    location ~ \.php(/|$) {
                        fastcgi_split_path_info ^(.+?\.php)(/.*)$;
                        try_files \$fastcgi_script_name /index.php\$is_args\$args;
                        # try_files has emptied \$fastcgi_path_info
                        set \$path_info \$fastcgi_path_info;
                        include /etc/nginx/fastcgi.conf;
                        fastcgi_param PATH_INFO \$path_info;
                        # applications tell people what they run on, and do as it needs
                        fastcgi_param SERVER_SOFTWARE weft;
                        fastcgi_read_timeout 120s;
                        fastcgi_pass unix:$this->directory/socket;
                    }
                }
            }

            CONF);

        return new Program([self::find('nginx'), '-e', $log, '-p', $this->directory, '-c', "$this->directory/nginx.conf"], "$this->directory/nginx.log");
    }

    /**
     * @param callable(): bool $ready
     */
    private function await(callable $ready, Program $program): void
    {
        $deadline = microtime(true) + self::PATIENCE;
        while (!$ready()) {
            if (!$program->runs() || microtime(true) > $deadline) {
                $logs = implode('', array_map(static fn (string $file): string => (string) file_get_contents($file), glob("$this->directory/*.log") ?: []));
                throw new RuntimeException("nginx with PHP-FPM did not start: $logs");
            }
            usleep(10_000);
        }
    }

    private static function listens(string $address): bool
    {
        $socket = @stream_socket_client("tcp://$address", $code, $message, 1.0);

        return $socket !== false && fclose($socket);
    }

    private static function freePort(): int
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0') ?: throw new RuntimeException('No free port.');

        return (int) substr((string) strrchr((string) stream_socket_get_name($socket, false), ':'), 1);
    }

    /** Debian has both where only root looks. */
    private static function find(string $name): string
    {
        foreach ([...explode(':', (string) getenv('PATH')), '/usr/sbin', '/usr/local/sbin'] as $directory) {
            if (is_executable("$directory/$name")) {
                return "$directory/$name";
            }
        }

        throw new RuntimeException("$name is not installed: tools/setup test");
    }
}
