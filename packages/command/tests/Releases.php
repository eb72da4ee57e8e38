<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

/**
 * A directory of releases, as deployments make them: each has the application, and a link leads to the current one.
 */
final class Releases
{
    private const APP = <<<'PHP'
        <?php

        while (file_exists(__DIR__ . '/wait')) {
            clearstatcache();
            usleep(5000);
        }

        return static function (Weft\Http\Request $request): string {
            while ($request->query('until') !== null && !file_exists((string) $request->query('until'))) {
                clearstatcache();
                usleep(5000);
            }

            return basename(__DIR__) . ' ' . getmypid();
        };
        PHP;

    public readonly string $directory;

    public function __construct()
    {
        $this->directory = sys_get_temp_dir() . '/weft-releases-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
        $this->add('one');
        $this->point('one');
    }

    public function add(string $name, string $code = self::APP): void
    {
        mkdir("$this->directory/$name");
        file_put_contents("$this->directory/$name/app.php", $code);
    }

    /** The current one is that from now on. */
    public function point(string $name): void
    {
        symlink($name, "$this->directory/next");
        rename("$this->directory/next", $this->current());
    }

    public function current(): string
    {
        return "$this->directory/current";
    }

    public function app(): string
    {
        return $this->current() . '/app.php';
    }

    /** Its boot waits, until it no longer has to. */
    public function wait(string $name, bool $has = true): void
    {
        $has ? touch("$this->directory/$name/wait") : unlink("$this->directory/$name/wait");
    }

    public function remove(): void
    {
        unlink($this->current());
        foreach (glob("$this->directory/*/*") ?: [] as $file) {
            unlink($file);
        }
        array_map(rmdir(...), glob("$this->directory/*") ?: []);
        rmdir($this->directory);
    }
}
