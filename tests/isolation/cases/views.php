<?php

declare(strict_types=1);

// Views: data, sections, stacks, components, directives. Templates wait in the middle of all of them.

use Illuminate\Support\Facades\App;
use Illuminate\Support\Facades\Blade;
use Illuminate\Support\Facades\View;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Components\Panel;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

$render = static fn (string $view, Identity $who, Window $window, array $more = []): string => trim(
    (string) preg_replace('/\s+/', ' ', view($view, ['who' => $who, 'window' => $window, ...$more])->render()),
);

return [
    new Behaviour('view share', static function (Identity $who, Window $window) use ($render): array {
        $before = View::shared('visitor');
        View::share('visitor', $who->tag());
        $window->open();

        return [$before, View::shared('visitor'), $render('shared', $who, $window)];
    }),

    new Behaviour('view sections and layouts', static fn (Identity $who, Window $window): string => $render('page', $who, $window)),

    new Behaviour('view stacks and once', static fn (Identity $who, Window $window): string => $render('stacks', $who, $window)),

    new Behaviour('view loops and includes', static fn (Identity $who, Window $window): string => $render('loops', $who, $window)),

    new Behaviour('view components and slots', static fn (Identity $who, Window $window): string => $render('components', $who, $window), setUp: static function (): void {
        Blade::component('panel', Panel::class);
    }),

    new Behaviour('view fragments and conditionals', static fn (Identity $who, Window $window): array => [
        view('fragments', ['who' => $who, 'window' => $window])->fragment($who->choose('first', 'second')),
        $render('fragments', $who, $window),
    ]),

    new Behaviour('view composers and creators', static function (Identity $who, Window $window) use ($render): array {
        View::composer('shared', static function (Illuminate\View\View $view) use ($who, $window): void {
            $window->open();
            $view->with('visitor', $who->tag('composer'));
        });
        $window->open();

        return [$render('shared', $who, $window), $render('shared', $who, $window)];
    }),

    new Behaviour('blade directives and conditions', static function (Identity $who, Window $window): array {
        Blade::directive('visitor', static fn (): string => "<?php echo '{$who->tag()}'; ?>");
        Blade::if('special', static fn (): bool => $who->isEven());
        Blade::stringable(Identity::class, static fn (Identity $identity): string => "stringable {$who->tag()}");
        $window->open();

        return [
            Blade::compileString('@visitor'),
            Blade::check('special'),
            array_key_exists('visitor', Blade::getCustomDirectives()),
            Blade::render('{{ $who }} @special yes @else no @endspecial', ['who' => $who]),
        ];
    }),

    new Behaviour('blade echo format and precompilers', static function (Identity $who, Window $window): array {
        Blade::setEchoFormat('strtoupper(%s)');
        Blade::precompiler(static fn (string $text): string => str_replace('VISITOR', $who->tag(), $text));
        $window->open();

        return [Blade::compileString('{{ 1 }} VISITOR')];
    }),

    new Behaviour('view locations and namespaces', static function (Identity $who, Window $window): array {
        View::addNamespace('visitor', "/nowhere/{$who->tag()}");
        View::addLocation("/nowhere/{$who->tag('location')}");
        View::addExtension($who->tag('ext'), 'php');
        $window->open();

        return [View::getFinder()->getHints()['visitor'] ?? null, array_slice(View::getFinder()->getPaths(), 1), array_key_first(View::getExtensions())];
    }),

    new Behaviour('view errors and exceptions in the middle', static function (Identity $who, Window $window) use ($render): array {
        try {
            $render('broken', $who, $window);
            $caught = null;
        } catch (Throwable $error) {
            $caught = $error->getMessage();
        }
        $window->open();

        return [$caught, ob_get_level() > 1, $render('page', $who, $window)];
    }),

    new Behaviour('view with translations', static function (Identity $who, Window $window) use ($render): string {
        App::setLocale($who->choose('de', 'fr'));

        return $render('translated', $who, $window);
    }),

    new Behaviour('component cache and resolver', static function (Identity $who, Window $window): array {
        Illuminate\View\Component::resolveComponentsUsing(static fn (string $class): string => "$class for {$who->tag()}");
        $window->open();
        $resolved = Illuminate\View\Component::resolve(['a' => 1]);
        Illuminate\View\Component::forgetComponentsResolver();

        return [$resolved];
    }),

    new Behaviour('streamed response', static fn (Identity $who, Window $window): mixed => response()->stream(static function () use ($who, $window): void {
        for ($piece = 1; $piece <= 4; $piece++) {
            echo "{$who->tag()} $piece\n";
            $window->open();
        }
    }), holdsAnyway: 'output buffers belong to the coroutine'),
];
