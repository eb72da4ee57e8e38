--TEST--
300 requests of the example application at once, each writing everywhere: none sees another's values
--EXTENSIONS--
weft
mbstring
dom
--INI--
error_reporting=24575
--SKIPIF--
<?php
require __DIR__ . '/laravel.inc';
if (!find_application()) die('skip the example application has no vendor/: run tools/setup');
?>
--FILE--
<?php
require __DIR__ . '/laravel.inc';

use Illuminate\Support\Facades\{App, Auth, Cookie, Route, Session, URL, View};

$root = find_application();
// what Laravel writes when it boots does not go into the example
foreach (['APP_PACKAGES_CACHE', 'APP_SERVICES_CACHE'] as $name) {
    $_SERVER[$name] = sys_get_temp_dir() . "/weft-$name-" . getmypid() . '.php';
}
register_shutdown_function(static fn () => array_map('unlink', array_filter([$_SERVER['APP_PACKAGES_CACHE'], $_SERVER['APP_SERVICES_CACHE']], 'is_file')));
require "$root/vendor/autoload.php";
$app = require "$root/bootstrap/app.php";
$kernel = $app->make(Illuminate\Contracts\Http\Kernel::class);
$app->instance('request', Illuminate\Http\Request::create('http://localhost/'));
$kernel->bootstrap();
config(['session.driver' => 'array', 'cache.default' => 'array', 'logging.default' => 'null', 'view.compiled' => sys_get_temp_dir()]);

Route::middleware('web')->get('/write/{n}', function (string $n): array {
    $nap = fn () => Async\delay(random_int(1, 10));
    App::setLocale("locale$n");
    View::share('who', $n);
    config(['x.y' => $n]);
    app()->instance('me', $n);
    Session::put('s', $n);
    $nap();
    Cookie::queue('c', $n);
    Auth::setUser(new Illuminate\Auth\GenericUser(['id' => $n]));
    ob_start();
    echo "out$n";
    $nap();
    date_default_timezone_set($n % 2 ? 'Asia/Tokyo' : 'Europe/Paris');
    request()->merge(['z' => $n]);
    $nap();
    return [
        App::getLocale(), View::shared('who'), config('x.y'), app('me'), Session::get('s'), Auth::id(), ob_get_clean(),
        date_default_timezone_get(), request('z'), request()->query('q'), URL::current(), Route::current()->parameter('n'),
    ];
});
foreach (['auth', 'cookie', 'session', 'session.store', 'url', 'view'] as $service) {
    $app->make($service);
}
Weft\Isolation\snapshot();

$handle = function (int $n) use ($kernel): string {
    $request = Illuminate\Http\Request::create("/write/$n?q=$n");
    $response = $kernel->handle($request);
    $kernel->terminate($request, $response);
    return $response->getContent();
};
$coroutines = [];
for ($n = 0; $n < 300; $n++) {
    $coroutines[$n] = Async\spawn(fn () => Weft\Isolation\run(fn () => $handle($n)));
}
$wrong = 0;
foreach ($coroutines as $n => $coroutine) {
    $got = Async\await($coroutine);
    $want = ["locale$n", "$n", "$n", "$n", "$n", "$n", "out$n", $n % 2 ? 'Asia/Tokyo' : 'Europe/Paris', "$n", "$n", "http://localhost/write/$n", "$n"];
    if (json_decode($got, true) !== $want && !$wrong++) {
        echo "request $n: ", substr($got, 0, 1000), "\n";
    }
}
echo "wrong: $wrong\n";
echo 'the base: ', App::getLocale(), ' ', json_encode([View::shared('who'), config('x.y'), app()->bound('me'), Auth::check()]), "\n";
?>
--EXPECT--
wrong: 0
the base: en [null,null,false,false]
