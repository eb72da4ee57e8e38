<?php

declare(strict_types=1);

// Connections that the boot has used already: each request must have one of its own.

use Illuminate\Redis\Connections\PhpRedisConnection;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Redis;
use Illuminate\Support\Facades\Session;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

// the one line in a provider that opens it
$settings = static function (): void {
    Redis::set('settings', 'of the boot');
    config(['settings' => Redis::get('settings')]);
};
$client = static function (): \Redis {
    $connection = Redis::connection();

    return $connection instanceof PhpRedisConnection && $connection->client() instanceof \Redis ? $connection->client() : throw new DomainException('no phpredis');
};

$behaviours = [
    new Behaviour('redis of the boot', static function (Identity $who, Window $window) use ($client): array {
        $key = $who->tag('key');
        $client()->del($key);
        $window->open();
        $before = [config('settings'), Redis::get('settings'), Redis::get($key)];
        Redis::set($key, $who->tag());
        $window->open();
        $answers = [];
        for ($i = 0; $i < 5; $i++) {
            $answers[] = $client()->echo($who->tag("echo$i"));
        }
        $long = str_repeat($who->tag(), 20000);
        Redis::set("$key:long", $long);
        $client()->multi();
        $window->open();
        $client()->incrBy("$key:number", $who->number);
        $window->open();
        $client()->del("$key:number", "$key:long:none");
        $multi = $client()->exec();
        $window->open();

        $same = Redis::get("$key:long") === $long;
        $pipe = $client();
        $pipe->pipeline();
        $pipe->get($key);
        $window->open();
        $pipe->del($key, "$key:long");

        return [$before, $answers, $multi, $same, $pipe->exec()];
    }, setUp: $settings),

    new Behaviour('database and client name of a redis of the boot', static function (Identity $who, Window $window) use ($client): array {
        $client()->client('setname', $who->tag());
        $client()->setOption(\Redis::OPT_SCAN, $who->isEven() ? \Redis::SCAN_RETRY : \Redis::SCAN_NORETRY);
        $window->open();
        $database = $client()->getDbNum();
        $client()->select(1 + $who->number % 8);
        $window->open();

        return [$database, $client()->getDbNum(), $client()->client('getname'), $client()->getOption(\Redis::OPT_SCAN)];
    }, setUp: $settings),

    new Behaviour('sessions in redis', static function (Identity $who, Window $window): array {
        $session = Session::driver('redis');
        $session->setId(sha1($who->tag()));
        $session->start();
        if ($who->step === 1) {
            $session->flush();
        }
        $before = $session->get('visitor');
        $session->put('visitor', $who->tag());
        $session->put("step$who->step", str_repeat($who->tag(), 500));
        $window->open();
        $session->save();
        $window->open();
        $session->start();

        return [$before, $session->get('visitor'), array_map(md5(...), array_filter($session->except(['_token']), is_string(...)))];
    }, setUp: $settings, steps: 3),

    new Behaviour('cache and locks in redis', static function (Identity $who, Window $window): array {
        $cache = Cache::store('redis');
        $cache->forget($who->tag('cached'));
        $window->open();
        $first = $cache->remember($who->tag('cached'), 60, static function () use ($who, $window): string {
            $window->open();

            return $who->tag();
        });
        $lock = $cache->lock($who->tag('lock'), 10);
        $got = $lock->get();
        $window->open();
        $second = $cache->lock($who->tag('lock'), 10)->get();
        $lock->release();

        return [$first, $cache->get($who->tag('cached')), $got, $second, $cache->lock($who->tag('lock'), 10)->get(static fn (): string => $who->tag('held'))];
    }, setUp: $settings, holdsAnyway: 'coroutines take turns at a connection: handles/redis_takes_turns.phpt'),

    new Behaviour('a curl handle of the boot', static function (Identity $who, Window $window): array {
        $handle = app('handles.curl');
        if (!$handle instanceof CurlHandle) {
            throw new DomainException('no handle');
        }
        $file = storage_path('framework/' . $who->tag('curl'));
        file_put_contents($file, $who->tag());
        $before = curl_getinfo($handle, CURLINFO_PRIVATE);
        curl_setopt_array($handle, [CURLOPT_URL => "file://$file", CURLOPT_PRIVATE => $who->tag('private')]);
        $window->open();
        $body = curl_exec($handle);
        $window->open();

        return [$before, $body, curl_getinfo($handle, CURLINFO_PRIVATE), basename((string) curl_getinfo($handle, CURLINFO_EFFECTIVE_URL)) === basename($file)];
    }, setUp: static function (): void {
        $handle = curl_init('file://' . __FILE__);
        if ($handle !== false) {
            curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_PRIVATE => 'boot']);
            curl_exec($handle);
            app()->instance('handles.curl', $handle);
        }
    }),
];

// Debian has no php-redis for every PHP
return array_values(array_filter(
    $behaviours,
    static fn (Behaviour $behaviour): bool => extension_loaded('redis') || !str_contains($behaviour->name, 'redis'),
));
