<?php

declare(strict_types=1);

namespace Weft\AppTests;

use Weft\Bench\ProcessTree;
use Weft\TestSupport\PhpFpm;
use Weft\TestSupport\Program;
use Weft\TestSupport\Reply;

/**
 * One of the two that are compared: its own copy of the application, its own database, its own server. Both servers have
 * the same port, at different addresses, so that the application sees the same site.
 */
final class Side
{
    private const WORKERS = 2;
    private const CHILDREN = 8;

    /** Seconds without a request in which a worker of Weft has given back its memory. */
    private const REST = 5;

    /** What both have: warnings are a part of the answer, nobody gets mail, and no clock but one. */
    private const DIRECTIVES = ['display_errors=1', 'html_errors=0', 'error_reporting=22527', 'memory_limit=1G', 'date.timezone=UTC',
        'sendmail_path=/bin/true', 'expose_php=0', 'opcache.enable=1', 'allow_url_fopen=1', 'upload_max_filesize=8M'];

    public readonly string $tree;
    public readonly string $database;
    public readonly string $address;
    private readonly string $run;
    private ?Program $weft = null;
    private ?PhpFpm $fpm = null;

    /**
     * @param string $name weft or fpm
     * @param string $debian Debian's own copy of the tree
     * @param string $site HOST:PORT, as visitors call it
     * @param int $databasePort of MariaDB
     * @param int $visitors how many there will be
     */
    public function __construct(
        private readonly Application $application,
        public readonly string $name,
        string $directory,
        public readonly string $debian,
        public readonly string $site,
        public readonly int $databasePort,
        public readonly int $visitors,
    ) {
        $this->tree = "$directory/$name/tree";
        $this->run = "$directory/$name/run";
        $this->database = 'weft_app_' . basename($directory) . "_$name";
        $this->address = ($name === 'weft' ? '127.0.0.1' : '127.0.0.2') . strrchr($site, ':');
        foreach (['tree', 'run/tmp', 'run/sessions'] as $needed) {
            if (!is_dir("$directory/$name/$needed")) {
                mkdir("$directory/$name/$needed", recursive: true);
            }
        }
    }

    public function write(string $file, string $content): void
    {
        if (!is_dir(dirname("$this->tree/$file"))) {
            mkdir(dirname("$this->tree/$file"), recursive: true);
        }
        file_put_contents("$this->tree/$file", $content);
    }

    /** Puts something else in a file's place. It must be there. */
    public function replace(string $file, string $what, string $with): void
    {
        $content = (string) file_get_contents("$this->tree/$file");
        if (!str_contains($content, $what)) {
            throw new \RuntimeException("$file has no \"$what\" any more: what is done to it is to be revised.");
        }
        $this->write($file, str_replace($what, $with, $content));
    }

    public function copyFrom(string $tree): void
    {
        Debian::must(['rm', '-rf', $this->tree]);
        Debian::must(['cp', '-rL', '--preserve=mode,timestamps', $tree, $this->tree]);
    }

    /** Becomes what the other one is, under its own names. */
    public function becomeLike(self $other): void
    {
        $this->copyFrom($other->tree);
        foreach ($this->application->configuration as $file) {
            $this->write($file, strtr((string) file_get_contents("$this->tree/$file"), [$other->tree => $this->tree, $other->database => $this->database]));
        }
    }

    public function start(): void
    {
        if ($this->name === 'weft') {
            $this->weft = $this->startWeft();
        } else {
            $this->fpm = new PhpFpm($this->root(), [], min(self::CHILDREN, $this->visitors), $this->directives(), $this->address, explode(':', $this->site)[0]);
        }
    }

    public function stop(): void
    {
        $this->weft?->stop();
        $this->fpm?->stop();
    }

    /** MiB of its own memory, all processes together, when nobody has asked for a while: it gives back what it does not need. */
    public function memoryAtRest(): float
    {
        sleep(self::REST);

        return ProcessTree::of($this->weft->pid ?? 0)->memory()['Private'] / 1048576;
    }

    /**
     * @return list<int>
     */
    public function workers(): array
    {
        return ProcessTree::of($this->weft->pid ?? 0)->workers();
    }

    /** What it has complained of. */
    public function log(): string
    {
        return $this->weft?->output() ?? '';
    }

    /** What is compared of an answer. */
    public function text(Reply $reply): string
    {
        // files and ways to directories come from the web server, which has its own words for them
        $isScripts = !isset($reply->headers['accept-ranges']) && !str_contains($reply->body, '<center>nginx');
        $head = implode("\n", $reply->head());
        if ($reply->status === 301 && (!$isScripts || $reply->body === '')) {
            $head = (string) preg_replace('~^content-type: .*\n~mi', '', "$head\n");
        } elseif (!$isScripts) {
            $head = (string) preg_replace(['~^(content-type: [^;]*);.*~mi', '~^etag: .*\n~mi'], ['$1', ''], $head);
        }

        return $this->normal("$head\n\n" . ($isScripts || $reply->status === 200 ? $reply->body : ''));
    }

    /** Without what only says which of the two it is, and without what the application does otherwise each time. */
    public function normal(string $text): string
    {
        // in JSON slashes have another before them
        $inJson = static fn (string $path): string => strtr($path, ['/' => '\\/']);
        $text = strtr($text, [
            $this->tree => 'TREE', dirname($this->tree) => 'SIDE', $this->run => 'RUN', $this->database => 'DATABASE', $inJson($this->tree) => 'TREE', $inJson($this->run) => 'RUN',
            base64_encode($this->database) => 'DATABASE',
        ]);
        foreach ($this->application->own as $rules) {
            $text = preg_replace(array_keys($rules), array_values($rules), $text) ?? throw new \RuntimeException(preg_last_error_msg());
        }

        // last, since what is random may look like one
        return $this->application->database ? (string) preg_replace(Database::NEW_ROW, 'ROW', $text) : $text;
    }

    private function root(): string
    {
        return rtrim("$this->tree/{$this->application->root}", '/');
    }

    /**
     * @return list<string> NAME=VALUE
     */
    private function directives(): array
    {
        $libraries = dirname($this->debian) . '/php';
        $own = ["include_path=.:$libraries", "sys_temp_dir=$this->run/tmp", "upload_tmp_dir=$this->run/tmp", "session.save_path=$this->run/sessions"];

        return [...self::DIRECTIVES, ...$own, ...$this->application->directives];
    }

    private function startWeft(): Program
    {
        [$host, $port] = explode(':', $this->address);
        $directives = array_merge(...array_map(static fn (string $directive): array => ['-d', $directive], $this->directives()));
        $server = new Program([
            PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'serve', '--log=text', $this->root(), "--host=$host", "--port=$port", '--workers=' . self::WORKERS,
            // on a slow machine visitors wait, as PHP-FPM lets them
            '-d', 'weft.http_access_log=0', '-d', 'weft.http_compress=off', '-d', 'weft.http_queue_ms=60000', ...$directives,
        ], "$this->run/server.log");
        $server->awaitOutput('~http://~');

        return $server;
    }
}
