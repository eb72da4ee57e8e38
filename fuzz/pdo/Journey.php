<?php

declare(strict_types=1);

require __DIR__ . '/Sessions.php';

/**
 * One request that does at random what an application may do with PDO, and writes down what it sees. What it does
 * depends on its seed and on what it has seen, and what it should see on nobody else: so a run alone and a run among
 * many must write the same.
 */
final class Journey
{
    use Sessions;

    /** @var list<string> */
    private array $lines = [];
    /** @var list<?PDO> */
    private array $handles = [];
    /** @var array<int, array{statement: PDOStatement, handle: int, sql: string, values: list<mixed>, left: bool, mode: string}> */
    private array $statements = [];
    /** The only handle that may talk to the server now: it holds its connection. */
    private ?int $pinned = null;
    private bool $touched = false;
    private bool $inTransaction = false;
    private ?int $unread = null;
    private int $numbers = 0;
    private readonly Random\Randomizer $random;

    public function __construct(
        private readonly string $dsn,
        private readonly string $user,
        private readonly int $me,
        int $seed,
        private readonly int $steps,
        private readonly Closure $pause,
    ) {
        $this->random = new Random\Randomizer(new Random\Engine\Mt19937($seed * 10007 + $me));
    }

    /** @return list<string> */
    public function run(): array
    {
        $this->doOpen();
        for ($step = 0; $step < $this->steps; $step++) {
            $name = $this->choose();
            $line = "$step $name ";
            try {
                $this->lines[] = $line . json_encode($this->{"do$name"}(), JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_THROW_ON_ERROR);
            } catch (Throwable $e) {
                $this->lines[] = $line . $e::class . ' ' . preg_replace('/ at character \d+|\s+/', ' ', strtok($e->getMessage(), "\n"));
                if ($this->inTransaction && !$this->isMySql()) {
                    $this->lines[] = "$step rollback " . json_encode($this->doRollBack());
                }
            }
            if ($this->random->getInt(0, 2) === 0) {
                ($this->pause)($this->random->getInt(0, 3));
            }
        }
        // half of the journeys end in the middle of everything
        if ($this->me % 2) {
            $this->statements = [];
            $this->handles = [];
        }

        return $this->lines;
    }

    private function isMySql(): bool
    {
        return str_starts_with($this->dsn, 'mysql');
    }

    private function choose(): string
    {
        $weights = ['Fetch' => 20, 'FetchAll' => 6, 'Walk' => 4, 'Close' => 4, 'Forget' => 8, 'Meta' => 2, 'Query' => 12, 'Prepare' => 14, 'ExecuteAgain' => 10,
            'Named' => 4, 'Insert' => 8, 'Rows' => 5, 'Error' => 4, 'Attribute' => 3, 'Setting' => 4, 'Quote' => 1, 'Reference' => 3, 'Open' => 2, 'LetGo' => 3];
        $weights += $this->inTransaction
            ? ['Commit' => 6, 'RollBack' => 5, 'Savepoint' => 5]
            : ['Begin' => 8];
        $weights += ['Touch' => $this->touched ? 6 : 1, 'LateError' => 2];
        $weights += $this->isMySql() ? ['Unbuffered' => 4, 'Several' => 3] : ['Cursor' => 3, 'Copy' => 2, 'Lob' => $this->inTransaction ? 4 : 0, 'Bytea' => 2];
        $at = $this->random->getInt(1, array_sum($weights));
        foreach ($weights as $name => $weight) {
            if (($at -= $weight) <= 0) {
                return $name;
            }
        }

        return 'Fetch';
    }

    // --- handles ---

    /** A handle that may talk to the server. */
    private function handle(): int
    {
        if ($this->unread !== null) {
            $this->drain();
        }

        return $this->pinned ?? $this->anyHandle();
    }

    private function anyHandle(): int
    {
        $there = array_keys(array_filter($this->handles));

        return $there === [] ? $this->open() : $there[$this->random->getInt(0, count($there) - 1)];
    }

    private function pdo(): PDO
    {
        return $this->handles[$this->handle()];
    }

    private function open(): int
    {
        $options = [PDO::ATTR_EMULATE_PREPARES => $this->random->getInt(0, 4) === 0];
        if ($this->random->getInt(0, 3) === 0) {
            $options[PDO::ATTR_STRINGIFY_FETCHES] = true;
        }
        $this->handles[] = new PDO($this->dsn, $this->user, null, $options);

        return array_key_last($this->handles);
    }

    private function doOpen(): ?int
    {
        return count(array_filter($this->handles)) < 3 && $this->pinned === null && $this->unread === null ? $this->open() : null;
    }

    /** With its statements, or they hold it. */
    private function doLetGo(): string
    {
        $number = $this->anyHandle();
        if ($this->unread !== null && $this->statements[$this->unread]['handle'] === $number) {
            $this->unread = null;
        }
        if ($this->random->getInt(0, 1) || $this->pinned === $number) {
            foreach ($this->statements as $key => $known) {
                if ($known['handle'] === $number) {
                    unset($this->statements[$key]);
                }
            }
        }
        $this->handles[$number] = null;
        if ($this->pinned === $number) {
            $this->pinned = null;
            $this->touched = $this->inTransaction = false;
        }

        return 'gone';
    }

    private function pin(int $number, bool $touches = false): void
    {
        $this->pinned = $number;
        $this->touched = $this->touched || $touches;
    }

    private function unpin(): void
    {
        if (!$this->touched && !$this->inTransaction) {
            $this->pinned = null;
        }
    }

    // --- statements ---

    /** A text that others use as well, and rows that only this one gets. @return array{string, list<mixed>} */
    private function text(): array
    {
        $count = $this->random->getInt(0, 1) ? $this->random->getInt(0, 5) : $this->random->getInt(6, 300);
        $tag = $this->me * 100000 + ++$this->numbers;
        $kind = $this->random->getInt(0, 3);
        $rows = $this->isMySql() ? 'weft_numbers where n <= ?' : 'weft_numbers where n <= cast(? as int)';
        $mine = $this->isMySql() ? '? + n' : 'cast(? as int) + n';

        return match ($kind) {
            0 => ["select $mine as v, n from $rows order by n", [$tag, $count]],
            1 => ["select $mine as v, n, 'x' as c from $rows order by n", [$tag, $count]],
            2 => ["select $mine as v, n /* " . $this->random->getInt(0, 5) . " */ from $rows order by n", [$tag, $count]],
            3 => ["select n, $mine as v from $rows order by n", [$tag, $count]],
        };
    }

    private function keep(PDOStatement $statement, int $handle, string $sql, array $values): int
    {
        $key = ++$this->numbers;
        $this->statements[$key] = ['statement' => $statement, 'handle' => $handle, 'sql' => $sql, 'values' => $values, 'left' => true, 'mode' => ''];
        if (count($this->statements) > 6) {
            foreach (array_keys($this->statements) as $oldest) {
                if ($oldest !== $this->unread && $oldest !== $key) {
                    unset($this->statements[$oldest]);
                    break;
                }
            }
        }

        return $key;
    }

    private function any(): ?int
    {
        $keys = array_keys($this->statements);

        return $this->unread ?? ($keys === [] ? null : $keys[$this->random->getInt(0, count($keys) - 1)]);
    }

    private function doQuery(): mixed
    {
        $number = $this->handle();
        [$sql, $values] = $this->text();
        foreach ($values as $value) {
            $sql = preg_replace('/\?/', (string) $value, $sql, 1);
        }
        $statement = $this->handles[$number]->query($sql);
        $this->keep($statement, $number, $sql, []);

        return $statement->fetch(PDO::FETCH_NUM);
    }

    private function doPrepare(): mixed
    {
        $number = $this->handle();
        [$sql, $values] = $this->text();
        $statement = $this->handles[$number]->prepare($sql);
        if ($this->random->getInt(0, 1)) {
            ($this->pause)($this->random->getInt(0, 2));
        }
        if ($this->random->getInt(0, 1)) {
            $statement->execute($values);
        } else {
            $statement->bindValue(1, $values[0], PDO::PARAM_INT);
            $statement->bindParam(2, $values[1], PDO::PARAM_INT);
            $statement->execute();
        }
        $key = $this->keep($statement, $number, $sql, $values);

        return $this->read($key, $this->random->getInt(0, 3));
    }

    private function doNamed(): mixed
    {
        $number = $this->handle();
        $tag = $this->me * 1000 + ++$this->numbers;
        $cast = $this->isMySql() ? '' : '::int';
        $statement = $this->handles[$number]->prepare("select :tag$cast as v, n from weft_numbers where n <= :count$cast order by n");
        $statement->execute($this->random->getInt(0, 1) ? ['tag' => $tag, 'count' => 4] : [':count' => 7, ':tag' => $tag]);

        return $this->read($this->keep($statement, $number, '', []), 2);
    }

    private function doExecuteAgain(): mixed
    {
        $key = $this->any();
        if ($key === null || $this->unread !== null || $this->statements[$key]['values'] === [] || (
            $this->pinned !== null && $this->pinned !== $this->statements[$key]['handle']
        )) {
            return null;
        }
        $known = $this->statements[$key];
        $tag = $this->me * 100000 + ++$this->numbers;
        $known['statement']->execute([$tag, $this->random->getInt(0, 9)]);

        return $this->read($key, $this->random->getInt(0, 4));
    }

    /** @return list<mixed> */
    private function read(int $key, int $count): array
    {
        $rows = [];
        for ($i = 0; $i < $count; $i++) {
            $rows[] = $this->statements[$key]['statement']->fetch(PDO::FETCH_NUM);
        }

        return $rows;
    }

    private function noteRead(int $key): void
    {
        if ($this->unread === $key) {
            $this->unread = null;
            $this->unpin();
        }
    }

    private function doFetch(): mixed
    {
        $key = $this->any();
        if ($key === null) {
            return null;
        }
        $statement = $this->statements[$key]['statement'];
        $modes = [PDO::FETCH_NUM, PDO::FETCH_ASSOC, PDO::FETCH_BOTH, PDO::FETCH_OBJ, PDO::FETCH_CLASS, PDO::FETCH_INTO, PDO::FETCH_COLUMN, PDO::FETCH_LAZY];
        $mode = $modes[$this->random->getInt(0, count($modes) - 1)];
        match ($mode) {
            PDO::FETCH_CLASS => $statement->setFetchMode($mode, Row::class),
            PDO::FETCH_INTO => $statement->setFetchMode($mode, new Row()),
            PDO::FETCH_COLUMN => $statement->setFetchMode($mode, 1),
            default => $statement->setFetchMode($mode),
        };
        $row = $statement->fetch();
        if ($row === false) {
            $this->noteRead($key);
        }
        $seen = $mode === PDO::FETCH_LAZY && $row ? [$row->v, $row->n] : $row;
        $statement->setFetchMode(PDO::FETCH_NUM); // plain PDO forgets what it holds when fetchAll() has another mode

        return $seen;
    }

    private function doFetchAll(): mixed
    {
        $key = $this->any();
        if ($key === null) {
            return null;
        }
        $statement = $this->statements[$key]['statement'];
        $rows = match ($this->random->getInt(0, 5)) {
            0 => $statement->fetchAll(PDO::FETCH_COLUMN, 0),
            1 => $statement->columnCount() === 2 ? $statement->fetchAll(PDO::FETCH_KEY_PAIR) : $statement->fetchAll(),
            2 => $statement->fetchAll(PDO::FETCH_OBJ),
            3 => $statement->columnCount() ? $statement->fetchAll(PDO::FETCH_FUNC, fn (...$columns) => $this->mapped($columns)) : $statement->fetchAll(),
            4 => $statement->fetchAll(PDO::FETCH_COLUMN | PDO::FETCH_GROUP),
            default => $statement->fetchAll(PDO::FETCH_NUM),
        };
        $this->noteRead($key);

        return [count($rows), md5(serialize($rows)), array_slice($rows, 0, 2, true)];
    }

    /** @param list<mixed> $columns */
    private function mapped(array $columns): string
    {
        if ($this->random->getInt(0, 40) === 0) {
            ($this->pause)(1);
        }

        return implode('-', $columns);
    }

    /** With a generator that may be let go in the middle. */
    private function doWalk(): mixed
    {
        $key = $this->any();
        if ($key === null) {
            return null;
        }
        $statement = $this->statements[$key]['statement'];
        $walk = (static function () use ($statement): Generator {
            foreach ($statement as $row) {
                yield array_values((array) $row)[0];
            }
        })();
        $statement->setFetchMode(PDO::FETCH_NUM);
        $seen = [];
        $most = $this->random->getInt(0, 20);
        foreach ($walk as $value) {
            $seen[] = $value;
            if (count($seen) > $most) {
                return [...array_slice($seen, 0, 3), md5(serialize($seen))];
            }
            if ($this->random->getInt(0, 9) === 0) {
                ($this->pause)(0);
            }
        }
        $this->noteRead($key);

        return [...array_slice($seen, 0, 3), md5(serialize($seen))];
    }

    private function doClose(): mixed
    {
        $key = $this->any();
        if ($key === null) {
            return null;
        }
        $closed = $this->statements[$key]['statement']->closeCursor();
        $this->noteRead($key);

        return $closed;
    }

    private function drain(): void
    {
        $this->statements[$this->unread]['statement']->closeCursor();
        $this->noteRead((int) $this->unread);
    }

    private function doForget(): mixed
    {
        $key = $this->any();
        if ($key !== null) {
            $this->noteRead($key);
            unset($this->statements[$key]);
        }

        return $key;
    }

    private function doMeta(): mixed
    {
        $key = $this->any();
        if ($key === null || $this->unread !== null || ($this->pinned !== null && $this->pinned !== $this->statements[$key]['handle'])) {
            return null;
        }
        $statement = $this->statements[$key]['statement'];

        return [$statement->columnCount(), $statement->getColumnMeta(0)['name'] ?? null, $statement->queryString === $this->statements[$key]['sql'], $statement->errorCode()];
    }

    /** A parameter and a column that are variables. */
    private function doReference(): mixed
    {
        $number = $this->handle();
        [$sql, $values] = $this->text();
        $statement = $this->handles[$number]->prepare($sql);
        $tag = 0;
        $statement->bindParam(1, $tag, PDO::PARAM_INT);
        $statement->bindParam(2, $values[1], PDO::PARAM_INT);
        $column = 'nothing';
        $statement->bindColumn('v', $column);
        $tag = $values[0];
        $statement->execute();
        $statement->fetch(PDO::FETCH_BOUND);
        ($this->pause)(1);
        $first = $column;
        $statement->fetch(PDO::FETCH_BOUND);
        $this->keep($statement, $number, $sql, []);

        return [$first, $column];
    }
}

/** What rows become. */
final class Row
{
    public mixed $v = null;
    public mixed $n = null;
    public mixed $c = null;
}
