<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Input\InputInterface;

/**
 * What `weft serve` was asked for, checked.
 *
 * @internal
 */
final class ServeOptions
{
    public const MAX_WORKERS = 1024;
    /** What weft.http_concurrency allows. */
    public const MAX_CONCURRENCY = 65_536;
    public const MAX_GRACE = 86_400;
    public const MAX_REQUESTS = 999_999_999;
    public const MAX_LIFETIME = 31_536_000;
    public const IGNORED = 'vendor,node_modules,storage,var,public,.git,.idea,.vscode,*.sqlite*,*.db,*.log,*~,*.sw?,.#*,*.tmp,4913';
    /** Whoever watches files wants the new code alone, and soon. */
    private const RELOAD_GRACE_OF_WATCH = '1';
    private const RELOAD_GRACE = '60';
    /** Directives that come before the user's: each save counts and soon, and idle connections get to the new code. */
    private const DIRECTIVES_OF_WATCH = ['opcache.validate_timestamps=1', 'opcache.revalidate_freq=0', 'opcache.optimization_level=0', 'display_errors=1', 'weft.http_drain_ms=0'];
    /** WEFT_LEARN_MOST of the extension. */
    public const MOST_LEARNT = 32;
    public const UNIX = 'unix:';
    /** What the kernel allows. */
    private const LONGEST_SOCKET = 107;
    /** What weft.max_memory allows. */
    public const LEAST_MEMORY = 16 << 20;
    public const MOST_MEMORY = 1 << 40;

    /**
     * @param non-empty-list<string> $hosts addresses and names
     * @param ?TlsOptions $tls null: plain HTTP
     * @param ?string $user by name or number, as the group; null: the one who starts it
     * @param ?int $concurrency null: what weft.http_concurrency says
     * @param ?float $requestTimeout null: what weft.http_request_timeout_ms says
     * @param list<string> $trustedProxies addresses and networks
     * @param float $bootTimeout seconds; 0: none
     * @param float $stuckTimeout seconds; 0: none
     * @param ?int $maxMemory bytes; null: what weft.max_memory says
     * @param list<string>|false|null $warm the pages to warm; false: none; null: what suits the application
     * @param ?int $learn so many pages, learnt from the traffic, at most; 0: none; null: what suits the application
     * @param ?string $control the path of the control socket; empty: none; null: where it is looked for
     * @param ?array{string, int} $admin host and port where it tells how it does; null: nowhere
     * @param string|false|null $public the directory whose files are sent; false: none; null: that of the framework
     * @param list<array{string, string}> $cacheControl patterns of paths, and the header's value for them
     * @param list<array{string, string}> $sendfile paths, and the directories whose files the application may name below them
     * @param ?bool $accessLog null: what weft.http_access_log says
     * @param ?float $slow seconds from which on a request is slow; null: what weft.http_slow_ms says
     * @param bool $logJson logs are for machines
     * @param bool $watch reload when a file changes
     * @param string $watchIgnore patterns of files and directories that don't count
     * @param list<string> $ini each `name=value`
     */
    public function __construct(
        public readonly string $app,
        public readonly array $hosts,
        public readonly int $port,
        public readonly ?TlsOptions $tls,
        public readonly ?string $user,
        public readonly ?string $group,
        public readonly int $workers,
        public readonly ?int $concurrency,
        public readonly ?float $requestTimeout,
        public readonly array $trustedProxies,
        public readonly float $bootTimeout,
        public readonly float $stuckTimeout,
        public readonly ?int $maxMemory,
        public readonly int $maxRequests,
        public readonly int $maxLifetime,
        public readonly bool $classic,
        public readonly bool $isolation,
        public readonly array|false|null $warm,
        public readonly ?int $learn,
        public readonly float $grace,
        public readonly float $reloadGrace,
        public readonly ?string $control,
        public readonly ?array $admin,
        public readonly string|false|null $public,
        public readonly array $cacheControl,
        public readonly array $sendfile,
        public readonly ?bool $accessLog,
        public readonly ?float $slow,
        public readonly bool $logJson,
        public readonly bool $watch,
        public readonly string $watchIgnore,
        public readonly array $ini,
    ) {
    }

    /**
     * @param bool $terminal standard output is one
     * @param array<string, string> $environment
     * @throws UsageError
     */
    public static function fromInput(InputInterface $input, Cpus $cpus, bool $terminal, array $environment): self
    {
        $log = self::log(self::text($input->getOption('log')));
        $workers = self::text($input->getOption('workers'));
        $concurrency = $input->getOption('concurrency');
        $requestTimeout = $input->getOption('request-timeout');
        $slow = $input->getOption('slow');
        $app = $input->getArgument('app');
        $app = self::absolute(is_string($app) && $app !== '' ? $app : '.');
        $watch = self::watch($input->getOption('watch')) ?? ($terminal && self::isLocal($app, $environment));
        $reloadGrace = self::text($input->getOption('reload-grace') ?? ($watch ? self::RELOAD_GRACE_OF_WATCH : self::RELOAD_GRACE));

        $hosts = array_map(static fn (string $host): string => self::listener(trim($host, ' ')), explode(',', self::text($input->getOption('host'))));

        return new self(
            app: $app,
            hosts: $hosts,
            tls: TlsOptions::fromInput($input, $hosts, self::absolute(...)),
            port: self::port(self::text($input->getOption('port'))),
            user: self::account('user', $input->getOption('user')),
            group: self::group($input->getOption('group'), $input->getOption('user')),
            workers: $workers === 'auto' ? $cpus->usable() : self::number('workers', $workers, 1, self::MAX_WORKERS, '"auto" or '),
            concurrency: $concurrency === null ? null : self::number('concurrency', self::text($concurrency), 1, self::MAX_CONCURRENCY),
            requestTimeout: $requestTimeout === null ? null : Duration::seconds('request-timeout', self::text($requestTimeout), self::MAX_GRACE),
            trustedProxies: self::networks($input->getOption('trusted-proxies')),
            bootTimeout: Duration::seconds('boot-timeout', self::text($input->getOption('boot-timeout')), self::MAX_GRACE),
            stuckTimeout: Duration::seconds('stuck-timeout', self::text($input->getOption('stuck-timeout')), self::MAX_GRACE),
            maxMemory: self::bytes('max-memory', $input->getOption('max-memory')),
            maxRequests: self::number('max-requests', self::text($input->getOption('max-requests')), 0, self::MAX_REQUESTS),
            maxLifetime: (int) ceil(Duration::seconds('max-lifetime', self::text($input->getOption('max-lifetime')), self::MAX_LIFETIME)),
            classic: $input->getOption('classic') === true,
            isolation: self::onOff('isolation', self::text($input->getOption('isolation'))),
            warm: self::pages($input->getOption('warm')) ?? ($watch ? false : null),
            learn: self::learn($input->getOption('learn')),
            grace: Duration::seconds('grace', self::text($input->getOption('grace')), self::MAX_GRACE),
            reloadGrace: Duration::seconds('reload-grace', $reloadGrace, self::MAX_GRACE),
            control: self::control($input->getOption('control')),
            admin: self::admin($input->getOption('admin')),
            public: self::publicDirectory($input->getOption('public')),
            cacheControl: self::cacheControl($input->getOption('cache-control')),
            sendfile: self::sendfile($input->getOption('sendfile')),
            accessLog: $log === 'off' ? false : null,
            slow: $slow === null ? null : ($slow === 'off' ? 0.0 : Duration::seconds('slow', self::text($slow), self::MAX_GRACE, or: '"off" or ')),
            logJson: $log === 'json' || ($log !== 'text' && !$terminal),
            watch: $watch,
            watchIgnore: self::text($input->getOption('watch-ignore')),
            ini: [...($watch ? self::DIRECTIVES_OF_WATCH : []), ...self::directives($input->getOption('define'))],
        );
    }

    /**
     * With the links that are in it: what they point to may be another directory at the next reload. The shell knows those
     * on the way to the current directory.
     */
    private static function absolute(string $path): string
    {
        if (str_starts_with($path, '/')) {
            return $path;
        }
        $shell = (string) getenv('PWD');
        $here = $shell !== '' && realpath($shell) === getcwd() ? $shell : (string) getcwd();

        return $path === '.' ? $here : "$here/$path";
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) ? (string) $value : '';
    }

    private static function number(string $name, string $value, int $least, int $most, string $or = ''): int
    {
        if (preg_match('/^\d{1,9}\z/', $value) !== 1 || (int) $value < $least || (int) $value > $most) {
            throw new UsageError("--$name must be {$or}a number from $least to $most, not \"$value\".");
        }

        return (int) $value;
    }

    private static function port(string $value): int
    {
        if (str_starts_with($value, 'tcp://')) {
            throw new UsageError(
                "--port must be a number from 0 to 65535, not \"$value\". Kubernetes sets that for a Service called weft, " .
                'unless the pod\'s spec says enableServiceLinks: false.',
            );
        }

        return self::number('port', $value, 0, 65535);
    }

    private static function bytes(string $name, mixed $value): ?int
    {
        if ($value === null || $value === 'auto') {
            return null;
        }
        $number = preg_match('/^(\d{1,13})([KMG]?)\z/i', self::text($value), $match) === 1
            ? (int) $match[1] * ['' => 1, 'K' => 1024, 'M' => 1024 ** 2, 'G' => 1024 ** 3][strtoupper($match[2])] : 0;
        if ($number < self::LEAST_MEMORY || $number > self::MOST_MEMORY) {
            throw new UsageError("--$name must be \"auto\" or a number of bytes from 16M to 1024G, not \"" . self::text($value) . '".');
        }

        return (int) $number;
    }

    private static function control(mixed $value): ?string
    {
        if ($value === null || $value === 'off') {
            return $value === null ? null : '';
        }
        $path = self::absolute(self::text($value));
        if (!self::mayBeSocket($path)) {
            throw new UsageError('--control must be "off" or the path of a file in a directory that exists, not "' . self::text($value) . '".');
        }

        return $path;
    }

    private static function mayBeSocket(string $path): bool
    {
        return !str_contains($path, "\0") && !str_ends_with($path, '/') && !is_dir($path) && is_dir(dirname($path));
    }

    /**
     * @return ?array{string, int}
     */
    private static function admin(mixed $value): ?array
    {
        if ($value === null) {
            return null;
        }
        if (preg_match('/^(.+):(\d{1,5})\z/', self::text($value), $match) !== 1 || (int) $match[2] > 65535) {
            throw new UsageError('--admin must be an address with a port, for example 127.0.0.1:9000 or [::1]:9000, not "' . self::text($value) . '".');
        }

        return [self::host($match[1]), (int) $match[2]];
    }

    private static function publicDirectory(mixed $value): string|false|null
    {
        if ($value === null || $value === 'off') {
            return $value === null ? null : false;
        }
        $directory = self::absolute(self::text($value));
        if (str_contains($directory, "\0") || !is_dir($directory)) {
            throw new UsageError('--public must be "off" or a directory, not "' . self::text($value) . '".');
        }

        return $directory;
    }

    /**
     * @return list<array{string, string}>
     */
    private static function cacheControl(mixed $values): array
    {
        $rules = [];
        foreach (is_array($values) ? $values : [] as $value) {
            if (preg_match('~^(/[!-9;-\~]*|\*[!-9;-\~]*):[ ]?([ -\~]*)\z~', self::text($value), $match) !== 1) {
                throw new UsageError('--cache-control must be a pattern of paths and a value, as "/fonts/*: public, max-age=86400", not "' . self::text($value) . '".');
            }
            $rules[] = [$match[1], trim($match[2])];
        }

        return $rules;
    }

    /**
     * @return list<array{string, string}>
     */
    private static function sendfile(mixed $values): array
    {
        $folders = [];
        foreach (is_array($values) ? $values : [] as $value) {
            [$uri, $directory] = [...explode('=', self::text($value), 2), ''];
            $directory = $directory === '' ? '' : self::absolute($directory);
            if (preg_match('~^/[!-\~]*\z~', $uri) !== 1 || str_contains($directory, "\0") || !is_dir($directory)) {
                throw new UsageError('--sendfile must be a path and a directory, as /protected=/srv/files, not "' . self::text($value) . '".');
            }
            $folders[] = [$uri, $directory];
        }

        return $folders;
    }

    /**
     * @return list<string>
     */
    private static function networks(mixed $value): array
    {
        $networks = $value === null ? [] : array_map(trim(...), explode(',', self::text($value)));
        foreach ($networks as $network) {
            [$address, $bits] = [...explode('/', $network, 2), null];
            $v4 = filter_var($address, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false;
            $most = $v4 || filter_var($address, FILTER_VALIDATE_IP) === false ? 32 : 128;
            if (filter_var($address, FILTER_VALIDATE_IP) === false || ($bits !== null && (preg_match('/^\d{1,3}\z/', $bits) !== 1 || (int) $bits > $most))) {
                throw new UsageError("--trusted-proxies must be addresses and networks with commas between, as 127.0.0.1,10.0.0.0/8,::1, not \"$network\".");
            }
        }

        return $networks;
    }

    private static function log(string $value): string
    {
        if (!in_array($value, ['auto', 'text', 'json', 'off'], true)) {
            throw new UsageError("--log must be \"auto\", \"text\", \"json\" or \"off\", not \"$value\".");
        }

        return $value;
    }

    private static function onOff(string $name, string $value): bool
    {
        return match ($value) {
            'on' => true,
            'off' => false,
            default => throw new UsageError("--$name must be \"on\" or \"off\", not \"$value\"."),
        };
    }

    /**
     * @return ?bool null: as it suits
     */
    private static function watch(mixed $value): ?bool
    {
        return match ($value) {
            'auto' => null,
            null, 'on' => true,
            'off' => false,
            default => throw new UsageError('--watch must be "on", "off" or "auto", not "' . self::text($value) . '".'),
        };
    }

    /**
     * What it says itself: APP_ENV, in the environment or else in its .env.
     *
     * @param array<string, string> $environment
     */
    private static function isLocal(string $app, array $environment): bool
    {
        $said = $environment['APP_ENV'] ?? null;
        if ($said === null) {
            $file = (is_dir($app) ? $app : dirname($app)) . '/.env';
            $text = is_file($file) ? (string) @file_get_contents($file) : '';
            $said = preg_match('/^\s*(?:export\s+)?APP_ENV\s*=\s*["\']?(\w+)/m', $text, $match) === 1 ? $match[1] : '';
        }

        return in_array($said, ['local', 'dev'], true);
    }

    /**
     * @return list<string>|false|null
     */
    private static function pages(mixed $value): array|false|null
    {
        if ($value === null) {
            return null;
        }
        if ($value === 'off') {
            return false;
        }
        $pages = array_map(trim(...), explode(',', self::text($value)));
        foreach ($pages as $page) {
            if (preg_match('/^\/[!-~]*\z/', $page) !== 1) {
                throw new UsageError("--warm must be \"off\" or paths like /,/login, not \"$page\".");
            }
        }

        return array_values(array_unique($pages));
    }

    private static function learn(mixed $value): ?int
    {
        return $value === null || $value === 'off' ? ($value === null ? null : 0) : self::number('learn', self::text($value), 1, self::MOST_LEARNT, '"off" or ');
    }

    private static function account(string $name, mixed $value): ?string
    {
        if ($value !== null && preg_match('/^(\d{1,9}|[a-z_][a-z0-9_.-]*\$?)\z/i', self::text($value)) !== 1) {
            throw new UsageError("--$name must be the name or the number of a $name of this machine, not \"" . self::text($value) . '".');
        }

        return $value === null ? null : self::text($value);
    }

    private static function group(mixed $value, mixed $user): ?string
    {
        $group = self::account('group', $value);
        if ($group !== null && $user === null && Identity::isRoot()) {
            throw new UsageError("--group=$group: without --user the server would still run as root. Name the user as well, as --user=www-data.");
        }

        return $group;
    }

    /**
     * Where to listen: a host, or a Unix socket.
     */
    private static function listener(string $value): string
    {
        if (!str_starts_with($value, self::UNIX)) {
            return self::host($value);
        }
        $path = self::absolute(substr($value, strlen(self::UNIX)));
        if (!self::mayBeSocket($path) || strlen($path) > self::LONGEST_SOCKET) {
            throw new UsageError("--host=$value: a Unix socket is a file in a directory that exists, and its path has at most " . self::LONGEST_SOCKET . ' bytes.');
        }

        return self::UNIX . $path;
    }

    private static function host(string $value): string
    {
        $host = preg_match('/^\[(.+)\]\z/', $value, $match) === 1 ? $match[1] : $value;
        if (preg_match('/^[^\[\]\/\x00-\x20\x7f]+\z/', $host) !== 1) {
            throw new UsageError("--host must be a name or an address, for example 127.0.0.1, 0.0.0.0 or ::1, or unix:/path, or several with commas between, not \"$value\".");
        }

        return $host;
    }

    /**
     * @return list<string>
     */
    private static function directives(mixed $values): array
    {
        $directives = [];
        foreach (is_array($values) ? $values : [] as $value) {
            $directive = self::text($value);
            if (preg_match('/^[A-Za-z_][\w.\-]*(=.*)?\z/s', $directive) !== 1) {
                throw new UsageError("--define (-d) must be name=value of a php.ini directive, not \"$directive\".");
            }
            $directives[] = $directive;
        }

        return $directives;
    }
}
