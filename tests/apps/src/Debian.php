<?php

declare(strict_types=1);

namespace Weft\AppTests;

use RuntimeException;
use Weft\TestSupport\Program;

/** Debian's packages, taken apart below var/: none is installed, so none asks anything or starts anything. */
final class Debian
{
    public function __construct(private readonly string $directory)
    {
        foreach (['packages', 'root', 'unpacked'] as $name) {
            if (!is_dir("$directory/$name")) {
                mkdir("$directory/$name", recursive: true);
            }
        }
    }

    public function path(string $inPackage): string
    {
        return "$this->directory/root/$inPackage";
    }

    /**
     * @param list<string> $packages
     * @param string $tree of the application: links in it to packages that are not asked for are left out
     * @return string the version of the first
     */
    public function unpack(array $packages, string $tree): string
    {
        foreach ($packages as $package) {
            if (!is_file("$this->directory/unpacked/$package")) {
                $file = $this->file($package);
                self::must(['dpkg', '-x', $file, "$this->directory/root"]);
                file_put_contents("$this->directory/unpacked/$package", self::must(['dpkg-deb', '--field', $file, 'Version']));
            }
        }
        $this->keepLinksInside();
        $this->keepNamesInside();
        self::must(['find', '-L', $this->path($tree), '-type', 'l', '-delete']);

        return trim((string) file_get_contents("$this->directory/unpacked/$packages[0]"));
    }

    private function file(string $package): string
    {
        $pattern = "$this->directory/packages/{$package}_*.deb";
        if ((glob($pattern) ?: []) === []) {
            [$status, , $errors] = Program::run(['apt-get', '-q', '-o', 'Acquire::Retries=5', 'download', $package], "$this->directory/packages");
            if ($status !== 0) {
                throw new RuntimeException("Debian's package $package can't be had (apt-get update?): $errors");
            }
        }

        return (glob($pattern) ?: [])[0] ?? throw new RuntimeException("apt-get has not brought $package.");
    }

    /** A package links to files of others by their place in the system. */
    private function keepLinksInside(): void
    {
        foreach (explode("\n", trim(self::must(['find', "$this->directory/root", '-type', 'l', '-lname', '/*', '-printf', '%p %l\n']))) as $line) {
            [$link, $target] = explode(' ', $line, 2) + [1 => ''];
            $inside = $this->path(ltrim($target, '/'));
            if ($target !== '' && file_exists($inside) && !str_starts_with($target, $this->directory)) {
                unlink($link);
                symlink($inside, $link);
            }
        }
    }

    /** PHP names libraries and scripts so too. What a package writes is below /etc and /var: that is for each side to say. */
    private function keepNamesInside(): void
    {
        $files = Program::run(['grep', '-rlE', '--include=*.php', "['\"]/usr/share/", "$this->directory/root"])[1];
        foreach (preg_split('/\n/', $files, -1, PREG_SPLIT_NO_EMPTY) ?: [] as $file) {
            file_put_contents($file, preg_replace_callback(
                '~([\'"])/(usr/share/[\w./+-]+)~',
                fn (array $match): string => $match[1] . (file_exists($this->path($match[2])) ? $this->path($match[2]) : "/$match[2]"),
                (string) file_get_contents($file),
            ));
        }
    }

    /**
     * @param list<string> $command
     */
    public static function must(array $command): string
    {
        [$status, $output, $errors] = Program::run($command);

        return $status === 0 ? $output : throw new RuntimeException(implode(' ', $command) . " ended with $status: " . substr($errors, -2000));
    }
}
