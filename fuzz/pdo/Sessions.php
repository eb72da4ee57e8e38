<?php

declare(strict_types=1);

/** What a Journey writes, sets, breaks and leaves in its session. */
trait Sessions
{
    // --- writing ---

    private function doInsert(): mixed
    {
        $number = $this->handle();
        $pdo = $this->handles[$number];
        $text = "row {$this->me} " . ++$this->numbers;
        if ($this->isMySql()) {
            $count = $this->random->getInt(0, 1)
                ? $pdo->exec("insert into weft_journeys (owner, text) values ({$this->me}, '$text')")
                : $pdo->prepare('insert into weft_journeys (owner, text) values (?, ?)')->execute([$this->me, $text]);
            $id = $pdo->lastInsertId();
            $sql = $this->random->getInt(0, 1) ? "select text from weft_journeys where id = $id" : 'select text from weft_journeys where id = last_insert_id()';

            return [(int) $count, $pdo->query($sql)->fetchColumn()];
        }
        $statement = $pdo->prepare('insert into weft_journeys (owner, text) values (?, ?) returning id');
        $statement->execute([$this->me, $text]);
        $id = $statement->fetchColumn();

        return [$statement->rowCount(), $pdo->query("select text from weft_journeys where id = $id")->fetchColumn()];
    }

    private function doRows(): mixed
    {
        $statement = $this->pdo()->prepare('select text from weft_journeys where owner = ? order by id');
        $statement->execute([$this->me]);
        $rows = $statement->fetchAll(PDO::FETCH_COLUMN);

        return [count($rows), md5(serialize($rows))];
    }

    private function doBegin(): bool
    {
        $number = $this->handle();
        $this->pin($number);

        return $this->inTransaction = $this->handles[$number]->beginTransaction();
    }

    private function doCommit(): bool
    {
        $done = $this->pdo()->commit();
        $this->inTransaction = false;
        $this->unpin();

        return $done;
    }

    private function doRollBack(): bool
    {
        $done = $this->pdo()->rollBack();
        $this->inTransaction = false;
        $this->unpin();

        return $done;
    }

    private function doSavepoint(): mixed
    {
        $pdo = $this->pdo();
        $pdo->exec('savepoint here');
        $pdo->exec("insert into weft_journeys (owner, text) values ({$this->me}, 'perhaps')");
        $pdo->exec($this->random->getInt(0, 1) ? 'rollback to savepoint here' : 'release savepoint here');
        if (!$this->isMySql()) {
            $this->touched = true; // an INSERT without RETURNING keeps the connection for lastInsertId()
        }

        return $pdo->inTransaction();
    }

    private function doError(): never
    {
        $texts = $this->isMySql()
            ? ['selec 1', 'select * from weft_nowhere', "insert into weft_numbers values (1)", 'select (select 1 union select 2)']
            : ['selec 1', 'select * from weft_nowhere', "insert into weft_numbers values (1) returning n", 'select 1 / (n - 3) from weft_numbers order by n'];
        $which = $this->random->getInt(0, 3);
        $sql = $texts[$which];
        $number = $this->handle();
        $pdo = $this->handles[$number];
        if ($which === 0) {
            $this->pin($number, true); // nobody knows what it would do
        }
        if ($this->random->getInt(0, 1)) {
            $pdo->query($sql)->fetchAll();
        }
        $pdo->prepare($sql)->execute();
        throw new LogicException('no error');
    }

    /** What is said of an error stays, though others have used the connection since. */
    private function doLateError(): mixed
    {
        $pdo = $this->pdo();
        $mode = $pdo->getAttribute(PDO::ATTR_ERRMODE);
        $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
        if ($this->inTransaction && !$this->isMySql()) {
            $pdo->exec('savepoint before');
        }
        $pdo->query("select * from weft_nothing_{$this->me}");
        ($this->pause)(2);
        $said = $pdo->errorInfo();
        if ($this->inTransaction && !$this->isMySql()) {
            $pdo->exec('rollback to before');
        }
        $pdo->setAttribute(PDO::ATTR_ERRMODE, $mode);

        return [$said[0], $said[1], strtok((string) $said[2], "\n")];
    }

    private function doAttribute(): mixed
    {
        $pdo = $this->pdo();
        $pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, [PDO::FETCH_NUM, PDO::FETCH_ASSOC][$this->random->getInt(0, 1)]);
        $pdo->setAttribute(PDO::ATTR_CASE, [PDO::CASE_NATURAL, PDO::CASE_LOWER][$this->random->getInt(0, 1)]);
        if (!$this->inTransaction) {
            $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $this->random->getInt(0, 3) === 0);
        }

        return [$pdo->getAttribute(PDO::ATTR_DEFAULT_FETCH_MODE), $pdo->getAttribute(PDO::ATTR_CASE), (int) $pdo->getAttribute(PDO::ATTR_EMULATE_PREPARES)];
    }

    private function doQuote(): string
    {
        return $this->pdo()->quote("it's {$this->me}\\");
    }

    // --- the session ---

    private function doSetting(): mixed
    {
        $number = $this->handle();
        $pdo = $this->handles[$number];
        if ($this->inTransaction) {
            $this->touched = true;
        }
        $which = $this->random->getInt(0, 2);
        if ($this->isMySql()) {
            $pdo->exec(['set time_zone = "+01:00"', 'set time_zone = "+00:00"', 'set sql_mode = "ANSI_QUOTES"'][$which]);

            return [$pdo->query('select @@time_zone')->fetchColumn(), $pdo->query('select @@sql_mode')->fetchColumn(),
                $this->ask($pdo, 'select unix_timestamp(timestamp(20200101)) + 0')];
        }
        $pdo->exec(["set time zone 'America/New_York'", "set time zone 'UTC'", "set datestyle to 'ISO, DMY'"][$which]);

        return [$pdo->query('show timezone')->fetchColumn(), $this->ask($pdo, "select date '01/02/2020' - date '2020-01-01'"),
            $this->ask($pdo, "select extract(epoch from timestamptz '2020-01-01 00:00')::int")];
    }

    private function ask(PDO $pdo, string $sql): mixed
    {
        $statement = $pdo->prepare($sql);
        $statement->execute();

        return (string) $statement->fetchColumn();
    }

    /** Leaves things in the session that only this request may find. */
    private function doTouch(): mixed
    {
        $number = $this->handle();
        $pdo = $this->handles[$number];
        $this->pin($number, true);
        $me = $this->me;
        if ($this->isMySql()) {
            return match ($this->random->getInt(0, 4)) {
                0 => [$pdo->query('select @mine')->fetchColumn(), $pdo->exec("set @mine = $me")],
                1 => [
                    $this->trying($pdo, 'select x from weft_own'),
                    $pdo->exec('create temporary table if not exists weft_own (x int)'),
                    $pdo->exec("insert into weft_own values ($me)"),
                ],
                2 => $this->ask($pdo, "select get_lock('weft_$me', 9)"),
                3 => [$this->trying($pdo, 'execute mine'), $pdo->exec("prepare mine from 'select $me'")],
                4 => [$pdo->exec("call weft_journey($me)"), $this->ask($pdo, 'select text from weft_journeys where id = last_insert_id()')],
            };
        }

        return match ($this->random->getInt(0, 5)) {
            0 => [$this->ask($pdo, "select current_setting('weft.mine', true)"), $this->ask($pdo, "select set_config('weft.mine', '$me', false)")],
            1 => [$this->trying($pdo, 'select x from weft_own'), $pdo->exec('create temp table if not exists weft_own (x int)'), $pdo->exec("insert into weft_own values ($me)")],
            2 => $this->ask($pdo, "select pg_advisory_lock($me)"),
            3 => [$this->trying($pdo, 'execute mine'), $this->trying($pdo, "prepare mine as select $me")],
            4 => [$pdo->exec("listen weft_$me"), $pdo->exec("notify weft_$me, 'for $me'"), array_slice($pdo->pgsqlGetNotify(PDO::FETCH_NUM) ?: [], 2)],
            5 => [$pdo->exec('set search_path to pg_catalog, public'), $this->ask($pdo, 'show search_path')],
        };
    }

    private function trying(PDO $pdo, string $sql): mixed
    {
        if ($this->inTransaction && !$this->isMySql()) {
            $pdo->exec('savepoint trying');
        }
        try {
            return $pdo->query($sql)->fetchAll(PDO::FETCH_COLUMN);
        } catch (PDOException $e) {
            if ($this->inTransaction && !$this->isMySql()) {
                $pdo->exec('rollback to trying');
            }

            return $e->getCode();
        }
    }

    // --- what only one of them has ---

    private function doUnbuffered(): mixed
    {
        $number = $this->handle();
        [$sql, $values] = $this->text();
        $statement = $this->handles[$number]->prepare($sql, [PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
        $this->handles[$number]->setAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);
        $statement->execute($values);
        $this->handles[$number]->setAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, true);
        $this->unread = $this->keep($statement, $number, $sql, $values);
        $this->pin($number);

        return $this->read($this->unread, 1);
    }

    private function doSeveral(): mixed
    {
        $number = $this->handle();
        $pdo = $this->handles[$number];
        $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, true);
        $statement = $pdo->query("select {$this->me}; select {$this->me} + n from weft_numbers where n < 9; select 'last'");
        $seen = [];
        do {
            $seen[] = $statement->fetchAll(PDO::FETCH_COLUMN);
            ($this->pause)(0);
        } while ($this->random->getInt(0, 3) && $statement->nextRowset());

        return $seen;
    }

    private function doCursor(): mixed
    {
        $number = $this->handle();
        [$sql, $values] = $this->text();
        $statement = $this->handles[$number]->prepare($sql, [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
        $statement->execute($values);
        $seen = [];
        foreach ([[PDO::FETCH_ORI_LAST, 0], [PDO::FETCH_ORI_FIRST, 0], [PDO::FETCH_ORI_ABS, 3], [PDO::FETCH_ORI_NEXT, 0]] as [$where, $offset]) {
            $seen[] = $statement->fetch(PDO::FETCH_NUM, $where, $offset);
            ($this->pause)(0);
        }

        return $seen;
    }

    private function doCopy(): mixed
    {
        $number = $this->handle();
        $pdo = $this->handles[$number];
        $this->pin($number, true);
        $pdo->exec('create temp table if not exists weft_copied (x int, y text)');
        $pdo->pgsqlCopyFromArray('weft_copied', ["{$this->me}\tone", ++$this->numbers . "\ttwo"]);

        return $pdo->pgsqlCopyToArray('weft_copied');
    }

    private function doLob(): mixed
    {
        $pdo = $this->pdo();
        $oid = $pdo->pgsqlLOBCreate();
        $stream = $pdo->pgsqlLOBOpen($oid, 'w');
        fwrite($stream, str_repeat("lob {$this->me} ", 100));
        if ($this->random->getInt(0, 1)) {
            fclose($stream);
        }
        ($this->pause)(1);
        $again = $pdo->pgsqlLOBOpen($oid, 'r');

        return [strlen((string) stream_get_contents($again)), $pdo->pgsqlLOBUnlink($oid)];
    }

    private function doBytea(): mixed
    {
        $stream = fopen('php://memory', 'w+');
        fwrite($stream, "\0bytes {$this->me}\xff");
        rewind($stream);
        $statement = $this->pdo()->prepare('select ?::bytea');
        $statement->bindValue(1, $stream, PDO::PARAM_LOB);
        $statement->execute();
        $value = $statement->fetchColumn();

        return bin2hex(is_resource($value) ? (string) stream_get_contents($value) : (string) $value);
    }
}
