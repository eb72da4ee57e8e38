<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms;
use Weft\Bench\Certificate;
use Weft\Bench\Failure;
use Weft\Bench\H2load;
use Weft\Bench\Http;
use Weft\Bench\Json;
use Weft\Bench\Listens;
use Weft\Bench\Missing;
use Weft\Bench\Server;
use Weft\Bench\Site;
use Weft\Bench\Suite;
use Weft\Bench\Workspace;

/** The web server: a hello and files over each protocol. All servers are up together, and take turns at each workload. */
final class Web extends Suite
{
    public const TITLE = 'The web server';
    public const ABOUT = 'A hello of a plain callable and files, over HTTP/1.1, HTTPS and HTTP/2, one worker each, closed loop of h2load, the servers in turns. The same '
        . 'certificate for all, TLS 1.3 with AES-128-GCM. nginx sends a file of the same bytes as hello, with sendfile, open_file_cache and without a log; '
        . 'Swoole sends files by its sendfile(), since what its static handler has begun to send waits for 200 ms on a connection that is kept. '
        . 'Multiples of hello are of Swoole, of files of nginx.';
    public const BASELINE = 'nginx';
    public const ARMS = ['weft', 'swoole', 'nginx'];
    public const WORKLOADS = ['hello', 'hello by HTTPS', 'hello by HTTP/2', 'hello by HTTP/2 over TLS', '10 KB', '10 KB by HTTPS', '10 MB', '10 MB by HTTPS'];

    private const HELLO = 'hello';
    private const FILES = 'files';

    /** A callable by itself has no public directory: each request would ask for a file there first. */
    private const SERVERS = [[Listens::Http, self::HELLO], [Listens::Http2, self::HELLO], [Listens::Tls, self::HELLO], [Listens::Http, self::FILES], [Listens::Tls, self::FILES]];

    private const STREAMS = [1, 10, 100];
    private const SMALL = 10 << 10;
    private const LARGE = 10 << 20;

    /** Of those who fetch the large file: what is under way at the end counts for nothing. */
    private const FEW = 4;

    private const QUIET = ['-d', 'weft.http_access_log=0', '-d', 'weft.http_queue_ms=0'];

    /** What Weft is to reach, as a multiple of the baseline. */
    private const GOAL = 1.0;

    /** @var array<string, string> */
    private static array $contents = [];

    private ?Certificate $certificate = null;

    public function rounds(): int
    {
        return (int) $this->bench->options->get('rounds');
    }

    public function round(int $number): void
    {
        $this->certificate ??= Certificate::make($this->bench->workspace);
        $arms = $this->arms($number);
        $servers = [];
        try {
            foreach ($arms as $arm) {
                foreach (self::SERVERS as [$listens, $what]) {
                    $this->attempt($arm, "a server of $listens->value", function () use (&$servers, $arm, $listens, $what): void {
                        $site = $this->site($listens, $what === self::FILES);
                        $servers[$arm]["$what $listens->value"] = Arms::start($arm, $this->bench->workspace, $site, 1, [...self::QUIET, ...$this->bench->options->weft]);
                    });
                }
            }
            foreach (array_values(array_filter(self::WORKLOADS, $this->bench->options->wants(...))) as $turn => $workload) {
                $this->bench->say("$this->name: $workload");
                // Who was first at one workload is last at the next.
                foreach ($turn % 2 === 0 ? $arms : array_reverse($arms) as $arm) {
                    $this->attempt($arm, $workload, fn () => $this->load($arm, $workload, $servers[$arm] ?? []));
                }
            }
        } finally {
            foreach ($servers as $byListens) {
                array_map($this->stop(...), $byListens);
            }
        }
    }

    /** @param array<string, Server> $servers by what they send and speak */
    private function load(string $arm, string $workload, array $servers): void
    {
        $protocol = str_contains($workload, 'HTTP/2') ? H2load::HTTP2 : H2load::HTTP1;
        $listens = match (true) {
            str_contains($workload, 'HTTPS') || str_contains($workload, 'TLS') => Listens::Tls,
            $protocol === H2load::HTTP2 => Listens::Http2,
            default => Listens::Http,
        };
        $file = explode(' by ', $workload)[0];
        $server = $servers[($file === self::HELLO ? self::HELLO : self::FILES) . " $listens->value"] ?? throw new Missing("its server of $listens->value did not start");
        $path = $file === self::HELLO ? '/hello' : '/static/' . self::nameOf($file);
        $this->compare($arm, $server, $path);
        $connections = $file === '10 MB' ? self::FEW : (int) $this->bench->options->get('connections');
        foreach ($protocol === H2load::HTTP2 ? self::STREAMS : [1] as $streams) {
            $sample = H2load::closed($server, $path, $protocol, $connections, $streams, $this->bench->options->get('duration'));
            $row = $this->add($arm, $workload, ['workers' => 1, 'load' => 'closed', 'connections' => $connections, 'streams' => $streams], $sample);
            $row->baseline = $file === self::HELLO ? 'swoole' : 'nginx';
            if ($arm === 'weft') {
                $row->target('throughput', 'ratio', self::GOAL);
            }
        }
    }

    private function compare(string $arm, Server $server, string $path): void
    {
        $answer = Http::answer($server->port, $path, listens: $server->listens);
        $expected = $path === '/hello' ? Arms::HELLO : self::contents()[basename($path)];
        $right = $answer->status === 200 && $answer->body === $expected;
        $this->bench->run->check("web: $path is what it should be, byte by byte", $right, 'compared before the load');
        if (!$right) {
            throw new Failure("$path: status $answer->status: " . Json::excerpt($answer->body));
        }
    }

    private function site(Listens $listens, bool $public): Site
    {
        $workspace = $this->bench->workspace;
        $files = Workspace::directory("$workspace->run/web/static");
        foreach (self::contents() as $name => $content) {
            if (@filesize("$files/$name") !== strlen($content)) {
                Workspace::put("$files/$name", $content);
            }
        }

        return new Site(
            "$workspace->root/bench/serve/plain.php",
            Site::php($workspace, $this->bench->options->jit) + ['STATIC_FILES' => $files],
            files: $files,
            public: $public ? dirname($files) : null,
            listens: $listens,
            certificate: $this->certificate,
        );
    }

    /** @return array<string, string> by name; bytes that nothing makes smaller */
    private static function contents(): array
    {
        if (self::$contents === []) {
            $random = new \Random\Engine\Xoshiro256StarStar(20261126);
            for ($block = ''; strlen($block) < self::SMALL;) {
                $block .= $random->generate();
            }
            self::$contents = [self::nameOf('10 KB') => $block, self::nameOf('10 MB') => str_repeat($block, intdiv(self::LARGE, self::SMALL))];
        }

        return self::$contents;
    }

    private static function nameOf(string $file): string
    {
        return strtr($file, ' ', '-') . '.bin';
    }
}
