<?php

/*
 * The store: entries in a database through PDO, pictures in a directory.
 *
 * GUESTBOOK_DSN, GUESTBOOK_USER and GUESTBOOK_PASSWORD say which database, GUESTBOOK_FILES where files go. Without them
 * it is SQLite, below files/.
 */

declare(strict_types=1);

const ENTRIES_A_PAGE = 12;
const LARGEST_PICTURE = 1_000_000;
const PICTURES = ['png' => 'image/png', 'jpg' => 'image/jpeg', 'gif' => 'image/gif', 'webp' => 'image/webp'];

/** A directory of its own for each kind of file. */
function files(string $kind): string
{
    $directory = (getenv('GUESTBOOK_FILES') ?: dirname(__DIR__) . '/files') . "/$kind";
    if (!is_dir($directory) && !@mkdir($directory, 0o770, true) && !is_dir($directory)) {
        throw new RuntimeException("Could not make $directory");
    }

    return $directory;
}

function store(): PDO
{
    static $store = null;

    return $store ??= new PDO(
        getenv('GUESTBOOK_DSN') ?: 'sqlite:' . files('data') . '/guestbook.sqlite',
        getenv('GUESTBOOK_USER') ?: null,
        getenv('GUESTBOOK_PASSWORD') ?: null,
        [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC],
    );
}

function query(string $sql, mixed ...$values): PDOStatement
{
    $statement = store()->prepare($sql);
    $statement->execute($values);

    return $statement;
}

function create_table(): void
{
    $id = store()->getAttribute(PDO::ATTR_DRIVER_NAME) === 'pgsql' ? 'serial primary key' : 'integer primary key autoincrement';
    store()->exec("create table if not exists entries (id $id, name text not null, message text not null, picture text, written text not null)");
}

/** @return list<array<string, mixed>> the newest first; one more than a page has, when there are more */
function entries(int $page, ?string $name = null): array
{
    $where = $name === null ? '' : 'where name = ?';
    $limit = sprintf('limit %d offset %d', ENTRIES_A_PAGE + 1, ($page - 1) * ENTRIES_A_PAGE);

    return query("select * from entries $where order by id desc $limit", ...($name === null ? [] : [$name]))->fetchAll();
}

function count_entries(): int
{
    return (int) query('select count(*) from entries')->fetchColumn();
}

function add_entry(string $name, string $message, ?string $picture): int
{
    $written = gmdate('Y-m-d H:i');

    return (int) query('insert into entries (name, message, picture, written) values (?, ?, ?, ?) returning id', $name, $message, $picture, $written)->fetchColumn();
}

function remove_entry(int $id): void
{
    query('delete from entries where id = ?', $id);
}

/**
 * Keeps an uploaded picture, by the name of what is in it.
 *
 * @param array{error: int, size: int, tmp_name: string} $upload
 */
function keep_picture(array $upload): string
{
    if ($upload['error'] !== UPLOAD_ERR_OK || $upload['size'] > LARGEST_PICTURE) {
        throw new DomainException('The picture is larger than a megabyte.');
    }
    $type = array_search(mime_content_type($upload['tmp_name']), PICTURES, true);
    if ($type === false) {
        throw new DomainException('That is no picture: a PNG, JPEG, GIF or WebP will do.');
    }
    $name = sha1_file($upload['tmp_name']) . ".$type";
    if (!move_uploaded_file($upload['tmp_name'], files('pictures') . "/$name")) {
        throw new RuntimeException("Could not keep $name");
    }

    return $name;
}

/** What waits, as a report over many entries would: in the database where that can. */
function wait_in_store(int $milliseconds): void
{
    if (store()->getAttribute(PDO::ATTR_DRIVER_NAME) === 'pgsql') {
        query('select pg_sleep(?)', $milliseconds / 1000);
    } else {
        usleep($milliseconds * 1000);
    }
}
