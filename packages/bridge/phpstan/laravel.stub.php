<?php

declare(strict_types=1);

// What the bridge uses of Laravel, declared for PHPStan only: the bridge requires no package, and Laravel's own
// classes come with the application that is served.

namespace Illuminate\Contracts\Http {
    interface Kernel
    {
        public function bootstrap(): void;

        public function handle(\Illuminate\Http\Request $request): \Symfony\Component\HttpFoundation\Response;

        public function terminate(\Illuminate\Http\Request $request, \Symfony\Component\HttpFoundation\Response $response): void;
    }
}

namespace Illuminate\Foundation {
    class Application
    {
        public const VERSION = '';

        /**
         * @template T of object
         * @param class-string<T> $abstract
         * @return T
         */
        public function make(string $abstract): object
        {
        }

        /**
         * @param \Closure(Application): void $callback
         */
        public function afterBootstrapping(string $bootstrapper, \Closure $callback): void
        {
        }
    }
}

namespace Illuminate\Foundation\Bootstrap {
    class LoadConfiguration
    {
    }

    class SetRequestForConsole
    {
        public function bootstrap(\Illuminate\Foundation\Application $app): void
        {
        }
    }
}

namespace Illuminate\Http {
    class Request
    {
        public static function capture(): self
        {
        }
    }
}

namespace Symfony\Component\HttpFoundation {
    class Response
    {
        public function send(bool $flush = true): static
        {
        }
    }
}
