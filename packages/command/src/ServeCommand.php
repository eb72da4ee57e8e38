<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputDefinition;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Bridge\Application;
use Weft\Bridge\Applications;
use Weft\Bridge\Classic\Application as Classic;
use Weft\Bridge\UnusableApplication;
use Weft\Command\Control\Directory;

/**
 * `weft serve`: checks what can be checked, then becomes the supervisor.
 *
 * @internal
 */
final class ServeCommand extends Command
{
    private const HELP = <<<'HELP'
        APP is the directory of a Laravel or Symfony application, one of PHP scripts (WordPress, say), or a PHP file that
        returns a callable or a PSR-15 request handler:

            <info>bin/weft serve path/to/laravel</info>
            <info>bin/weft serve path/to/wordpress</info>
            <info>bin/weft serve app.php --port=9000</info>

        where app.php may be as short as

            <?php return fn (Weft\Http\Request $request) => ['hello' => $request->query('name', 'world')];

        The application boots once for all workers; they share its memory. Scripts don't boot: each request executes them
        from the first line, as PHP-FPM does. --classic asks for that whatever APP is.

        Each option may be a variable instead (WEFT_PORT=9000), or be in the application's weft.php. weft config shows what
        holds, and docs/configuration.md says more of each.

        Signals:
            SIGINT (Ctrl-C), SIGTERM    accept nobody, finish what runs, for at most --grace seconds; a second signal ends at once
            SIGQUIT                     the same, for at most --reload-grace seconds
            SIGHUP, SIGUSR2             reload: APP is looked up and booted anew, then new workers take over and the old ones
                                        finish what runs; if it does not boot, the old ones serve on
            SIGUSR1                     nothing

        Exit status:
            0    stopped by a signal
            1    the application did not boot, the address can't be used, or the extension is missing
            2    wrong usage: an option, a number, or an APP that can't be served
            130  ended at once by a second SIGINT (131: SIGQUIT, 143: SIGTERM)
        HELP;

    /**
     * @param array<string, string> $environment as it was before symfony/console came
     */
    public function __construct(private readonly array $environment)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('serve');
        $this->setDescription('Serves an application over HTTP, one coroutine per request');
        $this->setHelp(self::HELP);
        self::define($this);
    }

    /**
     * The options alone, as `weft config` shows them.
     */
    public static function definition(): InputDefinition
    {
        $command = new Command('serve');
        self::define($command);

        return $command->getDefinition();
    }

    public static function define(Command $command): void
    {
        $command->addArgument('app', InputArgument::OPTIONAL, 'a Laravel, Symfony or PHP scripts directory, or a PHP file that returns a callable or a PSR-15 handler', '.');
        $command->addOption('host', null, InputOption::VALUE_REQUIRED, 'address, name or unix:PATH to listen on; several with commas between', '127.0.0.1');
        $command->addOption('port', null, InputOption::VALUE_REQUIRED, 'port to listen on; 0 takes a free one', '8000');
        TlsOptions::define($command);
        $command->addOption('user', null, InputOption::VALUE_REQUIRED, 'who serves, when root starts it; it listens before');
        $command->addOption('group', null, InputOption::VALUE_REQUIRED, 'the group [default: that of --user]');
        $command->addOption('workers', null, InputOption::VALUE_REQUIRED, 'number of worker processes; auto is one per CPU', 'auto');
        $command->addOption('concurrency', null, InputOption::VALUE_REQUIRED, 'requests a worker runs at once; more wait [default: weft.http_concurrency, 4096]');
        $command->addOption('request-timeout', null, InputOption::VALUE_REQUIRED, 'time until an answer begins, and between two pieces, as 30 or 500ms; 0: no limit [default: 30]');
        $command->addOption('boot-timeout', null, InputOption::VALUE_REQUIRED, 'time that the application may take to boot, without warm-up; 0: no limit', '60');
        $command->addOption('stuck-timeout', null, InputOption::VALUE_REQUIRED, 'time that a call in C may keep a worker from all else; then it is killed, 0: never', '60');
        $command->addOption('max-memory', null, InputOption::VALUE_REQUIRED, 'memory of a worker, as 512M [default: 80 % of the machine or container, by workers]');
        $command->addOption('max-requests', null, InputOption::VALUE_REQUIRED, 'requests after which another worker takes its place; 0: never', '0');
        $command->addOption('max-lifetime', null, InputOption::VALUE_REQUIRED, 'the same after a time, as 3600 or 1h, give or take a tenth', '0');
        $command->addOption('classic', null, InputOption::VALUE_NONE, 'execute the PHP scripts in it, as PHP-FPM does, whatever APP is');
        $command->addOption('isolation', null, InputOption::VALUE_REQUIRED, 'on: every request sees a freshly booted application; off: requests share its state', 'on');
        $command->addOption('warm', null, InputOption::VALUE_REQUIRED, 'pages to warm before serving, as /,/login; off: none [default: / of a Laravel application]');
        $command->addOption('learn', null, InputOption::VALUE_REQUIRED, 'pages to warm besides, learnt from the traffic, at most; off: none [default: 8 where pages are warmed]');
        $command->addOption('grace', null, InputOption::VALUE_REQUIRED, 'time to finish what runs when stopped', '10');
        $command->addOption('reload-grace', null, InputOption::VALUE_REQUIRED, 'time to finish what runs in the old workers after a reload [default: 60; with --watch 1]');
        $command->addOption('control', null, InputOption::VALUE_REQUIRED, 'path of the socket for weft status, reload, stop; off: none [default: looked for by these]');
        $command->addOption('admin', null, InputOption::VALUE_REQUIRED, 'address with a port for /metrics, /healthz and /readyz, as 127.0.0.1:9000 [default: none]');
        $command->addOption('trusted-proxies', null, InputOption::VALUE_REQUIRED, 'addresses and networks whose X-Forwarded-* count, as 127.0.0.1,10.0.0.0/8 [default: none]');
        $command->addOption('public', null, InputOption::VALUE_REQUIRED, 'directory whose files are sent without asking APP; off: none [default: that of a framework]');
        $command->addOption('cache-control', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'of files whose path fits, as "/fonts/*: public, max-age=86400"');
        $command->addOption('sendfile', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'URI=DIR: what APP may name in X-Accel-Redirect and X-Sendfile');
        $command->addOption('log', null, InputOption::VALUE_REQUIRED, 'text, json (a line for each record) or off (no access log); auto: text on a terminal, else json', 'auto');
        $command->addOption('slow', null, InputOption::VALUE_REQUIRED, 'warn of requests that take so long, as 1s or 250ms; off or 0: of none [default: weft.http_slow_ms, off]');
        $command->addOption('watch', null, InputOption::VALUE_OPTIONAL, 'for development: reload when a file changes; auto: where APP_ENV is local or dev, on a terminal', 'auto');
        $command->addOption('watch-ignore', null, InputOption::VALUE_REQUIRED, 'names and patterns that --watch leaves out', ServeOptions::IGNORED);
        $command->addOption('define', 'd', InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'a php.ini directive for the application: -d name=value');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        try {
            $sources = Sources::apply($input, self::definition(), $this->environment);
            foreach ($sources->warnings as $warning) {
                $errors->writeln(Printable::line("weft: $warning"), OutputInterface::OUTPUT_RAW);
            }
            $options = ServeOptions::fromInput($input, new Cpus(), stream_isatty(STDOUT), $this->environment);
            $application = Applications::recognise($options->app, $options->classic);
            $application->check();
            if ($application instanceof Classic && !$options->isolation) {
                throw new UsageError('--isolation=off: scripts that are executed anew in each request have nothing to share. Leave it out.');
            }
            if ($application instanceof Classic && $options->public !== null) {
                throw new UsageError('--public: files are sent from where the scripts are. Leave it out, or give that directory.');
            }
        } catch (UsageError | UnusableApplication $problem) {
            $message = isset($sources) ? $sources->explain($problem->getMessage()) : $problem->getMessage();
            $errors->writeln('weft: ' . Printable::lines($message), OutputInterface::OUTPUT_RAW);
            return Console::EXIT_USAGE;
        }
        try {
            return $this->supervise($options, $application, $output);
        } catch (UsageError $problem) {
            $errors->writeln('weft: ' . Printable::lines($problem->getMessage()), OutputInterface::OUTPUT_RAW);
        }

        return Command::FAILURE;
    }

    private function supervise(ServeOptions $options, Application $application, OutputInterface $output): int
    {
        $this->restoreEnvironment();
        $arguments = self::arguments();
        $own = PhpCommandLine::ofThisProcess($arguments);
        $extension = Extension::of($own);
        $php = $extension->php();
        $supervisor = new Supervisor(
            title: implode(' ', [...$own->words(), ...$arguments]),
            settings: [
                'listen' => array_map(static fn (string $host): array => [$host, $options->port], $options->hosts),
                ...($options->tls?->settings($options->hosts) ?? []),
                'command' => $php->forZygote(dirname(__DIR__, 2) . '/bridge/zygote.php', $options->ini),
                'application' => $options->app,
                'grace' => $options->grace,
                'reload_grace' => $options->reloadGrace,
                'boot_timeout' => $options->bootTimeout,
                'control' => $options->control ?? self::controlDirectory($options->user),
                'control_wanted' => $options->control !== null,
                ...($options->admin === null ? [] : ['admin' => [$options->admin]]),
                ...($options->user === null ? [] : ['user' => $options->user]),
                ...($options->group === null ? [] : ['group' => $options->group]),
                'log_json' => $options->logJson,
                'watch_ignore' => $options->watch && !$application instanceof Classic ? $options->watchIgnore : null,
                'restart' => [...$own->words(), ...$arguments],
                'configuration' => self::configuration($options, $output),
            ],
            banner: new Banner(
                Console::VERSION,
                $options->workers,
                $options->isolation,
                $output->isDecorated(),
                $output->isQuiet(),
                $options->logJson,
                $options->watch,
            ),
            port: $options->port,
        );
        $file = $extension->file();
        if ($file !== null) {
            $supervisor->runByExecuting($php->binary, $file);
        }
        // where this process can't be replaced (no pcntl) it has to do
        if (!$extension->isLoaded()) {
            $extension->loadByExecutingAgain($arguments);
        }

        return $supervisor->run();
    }

    /**
     * What the zygote and its workers are told.
     *
     * @return array<string, mixed>
     */
    private static function configuration(ServeOptions $options, OutputInterface $output): array
    {
        return [
            'workers' => $options->workers,
            ...($options->concurrency === null ? [] : ['concurrency' => $options->concurrency]),
            ...($options->requestTimeout === null ? [] : ['request_timeout' => $options->requestTimeout]),
            ...($options->accessLog === null ? [] : ['access_log' => $options->accessLog]),
            ...($options->public === null ? [] : ['public' => $options->public]),
            'cache_control' => $options->cacheControl,
            'sendfile' => $options->sendfile,
            ...($options->slow === null ? [] : ['slow' => $options->slow]),
            'log_json' => $options->logJson,
            ...($options->tls?->configuration() ?? []),
            ...($options->maxMemory === null ? [] : ['max_memory' => $options->maxMemory]),
            'trusted_proxies' => $options->trustedProxies,
            'stuck_timeout' => $options->stuckTimeout,
            'max_requests' => $options->maxRequests,
            'max_lifetime' => $options->maxLifetime,
            'classic' => $options->classic,
            'isolation' => $options->isolation,
            'warm' => $options->warm,
            ...($options->learn === null ? [] : ['learn' => $options->learn]),
            'watch' => $options->watch,
            'grace' => $options->grace,
            'colour' => $output->isDecorated(),
        ];
    }

    /**
     * Where the other commands look; they can do without.
     */
    private static function controlDirectory(?string $user): string
    {
        $directory = $user === null ? Directory::make() : Directory::makeFor($user);
        if ($directory === null && $user !== null && !Identity::exists($user)) {
            // the supervisor says that there is none, which is all that matters
            return '';
        }
        if ($directory === null && $user !== null) {
            fwrite(STDERR, 'weft: no control socket, since ' . Directory::of($user) . " can't be made for $user. Name a place for it: --control=PATH\n");
        } elseif ($directory === null) {
            fwrite(STDERR, 'weft: no control socket, since none of ' . implode(', ', Directory::candidates()) . " is this user's alone. Name a place for it: --control=PATH\n");
        }

        return $directory === null ? '' : "$directory/";
    }

    private function restoreEnvironment(): void
    {
        foreach (array_diff_key(getenv(), $this->environment) as $name => $value) {
            putenv((string) $name);
        }
        foreach (array_diff_assoc($this->environment, getenv()) as $name => $value) {
            putenv("$name=$value");
        }
    }

    /**
     * @return list<string>
     */
    private static function arguments(): array
    {
        $arguments = $_SERVER['argv'] ?? [];

        return array_values(array_filter(is_array($arguments) ? $arguments : [], is_string(...)));
    }
}
