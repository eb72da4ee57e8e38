<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use MongoDB\Driver\Command;
use MongoDB\Driver\Exception\Exception;
use MongoDB\Driver\Manager;
use MongoDB\Driver\Query;
use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** A fake of MongoDB's protocol that says back who asks: Debian has no server. All visitors have the same URI. */
final class Mongodb implements Module
{
    public function name(): string
    {
        return 'mongodb';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $port = Servers::freePort();
        $servers->php([dirname(__DIR__, 2) . '/fakes/mongodb.php', (string) $port], $port);

        return ['port' => (string) $port];
    }

    public function visit(int $who, array $at): array
    {
        $manager = new Manager("mongodb://127.0.0.1:$at[port]/?serverSelectionTimeoutMS=10000&socketTimeoutMS=20000");
        $seen = [];
        try {
            foreach (range(1, 4) as $i) {
                $seen["echo $i"] = $this->values($manager->executeCommand('test', new Command(['echo' => "visitor $who call $i"]))->toArray(), 'echo');
            }
            $seen['found'] = $this->values($manager->executeQuery('test.people', new Query(['who' => $who]))->toArray(), 'who');
            $manager->executeCommand('test', new Command(['fail' => "none of $who"]));
        } catch (Exception $problem) {
            $seen['error'] = $problem->getMessage();
        }

        return $seen;
    }

    /**
     * @param array<mixed> $documents
     * @return list<mixed>
     */
    private function values(array $documents, string $field): array
    {
        return array_values(array_map(static fn (mixed $document): mixed => ((array) $document)[$field] ?? null, $documents));
    }

    public function expected(int $who): array
    {
        return [
            'echo 1' => ["visitor $who call 1"],
            'echo 2' => ["visitor $who call 2"],
            'echo 3' => ["visitor $who call 3"],
            'echo 4' => ["visitor $who call 4"],
            'found' => [$who, $who],
            'error' => "refused: none of $who",
        ];
    }
}
