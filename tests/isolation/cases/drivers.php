<?php

declare(strict_types=1);

// Methods that the drivers of PDO declare on classes of their own, since PHP 8.4.

use Illuminate\Support\Facades\DB;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

if (PHP_VERSION_ID < 80400) {
    return [];
}

$ofTheBoot = static fn (): Pdo\Sqlite => app('sqlite of the boot');

return [
    new Behaviour('Pdo\Sqlite of the boot', static function (Identity $who, Window $window) use ($ofTheBoot): array {
        $pdo = $ofTheBoot();
        $pdo->createFunction('who', static fn (): string => $who->tag(), 0);
        $pdo->exec('insert into notes (id, body) values (2, ' . $pdo->quote($who->tag('note')) . ')');
        $window->open();
        $pdo->createCollation('theirs', static fn (string $a, string $b): int => $who->isEven() ? $a <=> $b : $b <=> $a);
        $window->open();
        $blob = $pdo->openBlob('notes', 'body', 2);
        $window->open();

        return [
            $pdo->query('select who()')->fetchColumn(),
            $pdo->query('select body from notes order by body collate theirs')->fetchAll(PDO::FETCH_COLUMN),
            stream_get_contents($blob),
        ];
    }, setUp: static function (): void {
        $pdo = PDO::connect('sqlite::memory:');
        $pdo->exec("create table notes (id integer primary key, body text); insert into notes values (1, 'of the boot')");
        app()->bind('sqlite of the boot', static fn (): PDO => $pdo);
    }),

    new Behaviour('COPY, large objects and notices of Pdo\Pgsql', static function (Identity $who, Window $window): array {
        return DB::transaction(static function () use ($who, $window): array {
            $pdo = DB::connection()->getPdo();
            $pdo instanceof Pdo\Pgsql || throw new DomainException('no Pdo\Pgsql');
            $heard = [];
            $pdo->setNoticeCallback(static function (string $notice) use (&$heard, $window): void {
                $window->open();
                $heard[] = trim($notice);
            });
            $pdo->exec('create temporary table copied (body text) on commit drop');
            $pdo->copyFromArray('copied', [$who->tag('first'), $who->tag('second')]);
            $window->open();
            $pdo->exec("do \$\$ begin raise notice '" . $who->tag() . "'; end \$\$");
            $number = $pdo->lobCreate();
            $object = $pdo->lobOpen($number, 'w+');
            fwrite($object, $who->tag('object'));
            $window->open();
            rewind($object);
            $read = stream_get_contents($object);
            $pdo->lobUnlink($number);
            $pdo->setNoticeCallback(null);

            return [$pdo->copyToArray('copied'), $heard, $read, $pdo->escapeIdentifier($who->tag())];
        });
    }),
];
