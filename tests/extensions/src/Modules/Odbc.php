<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** unixODBC with SQLite: each visitor has a database. */
final class Odbc implements Module
{
    public function name(): string
    {
        return 'odbc';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $driver = glob('/usr/lib/*/odbc/libsqlite3odbc.so')[0] ?? throw new \RuntimeException('libsqliteodbc is not installed: tools/setup extensions');

        return ['driver' => $driver, 'directory' => $servers->directory('odbc')];
    }

    public function visit(int $who, array $at): array
    {
        $link = odbc_connect("Driver=$at[driver];Database=$at[directory]/$who.sqlite", '', '');
        if ($link === false) {
            return ['connect' => odbc_errormsg()];
        }
        odbc_exec($link, 'CREATE TABLE IF NOT EXISTS people (name TEXT)');
        odbc_exec($link, 'DELETE FROM people');
        odbc_exec($link, "INSERT INTO people VALUES ('visitor $who')");
        $found = odbc_exec($link, 'SELECT name FROM people');
        $seen = ['names' => []];
        while ($found !== false && ($row = odbc_fetch_array($found)) !== false) {
            $seen['names'][] = $row['name'] ?? null;
        }
        @odbc_exec($link, "SELECT * FROM none_of_$who");
        usleep(500);
        $seen['error'] = preg_match('/none_of_\d+/', odbc_errormsg($link), $match) === 1 ? $match[0] : odbc_errormsg($link);
        $seen['last'] = preg_match('/none_of_\d+/', odbc_errormsg(), $match) === 1 ? $match[0] : odbc_errormsg();
        odbc_close($link);

        return $seen;
    }

    public function expected(int $who): array
    {
        return ['names' => ["visitor $who"], 'error' => "none_of_$who", 'last' => "none_of_$who"];
    }
}
