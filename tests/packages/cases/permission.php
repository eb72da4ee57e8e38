<?php

declare(strict_types=1);

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Spatie\Permission\Middleware\RoleMiddleware;
use Spatie\Permission\Models\Permission;
use Spatie\Permission\Models\Role;
use Spatie\Permission\PermissionRegistrar;
use Weft\PackageTests\Package;
use Weft\PackageTests\User;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: the team is a property of a singleton, which also keeps all permissions.
return new Package(
    name: 'spatie/laravel-permission',
    config: ['permission.teams' => true],
    migrations: ['create_permission_tables.php.stub', 'add_teams_fields.php.stub'],
    effects: [
        'select model_id, team_id, permission_id from model_has_permissions order by 1, 2, 3',
        'select model_id, team_id, role_id from model_has_roles order by 1, 2, 3',
    ],
    boot: static fn () => Route::aliasMiddleware('role', RoleMiddleware::class),
    routes: static function (): void {
        Route::get('/pk/permission', static function (Request $request): array {
            $user = $request->user();
            app(PermissionRegistrar::class)->setPermissionsTeamId($user->id % 3 + 1);
            Window::open();

            return [
                app(PermissionRegistrar::class)->getPermissionsTeamId(),
                $user->getRoleNames()->sort()->values(),
                $user->getAllPermissions()->pluck('name')->sort()->values(),
                array_map(static fn (int $i): bool => $user->can("edit $i"), range(0, 7)),
                $request->user()->hasRole('admin'),
            ];
        });
        Route::get('/pk/permission/change', static function (Request $request): array {
            $user = $request->user();
            app(PermissionRegistrar::class)->setPermissionsTeamId($user->id % 3 + 1);
            $user->givePermissionTo('edit ' . $user->id % 8);
            Window::open();
            $user->revokePermissionTo('edit ' . ($user->id + 1) % 8);
            $user->assignRole('editor');
            Window::open();

            return [$user->fresh()->getAllPermissions()->pluck('name')->sort()->values()];
        });
        Route::get('/pk/permission/page', static function (Request $request) {
            setPermissionsTeamId(($request->user()->id ?? 0) % 3 + 1);
            Window::open();

            return view('may');
        });
        // no team is set here: what another request has set must not decide
        Route::middleware('role:editor')->get('/pk/permission/editors', static fn (): string => 'only editors');
    },
    warm: ['/pk/permission/page'],
    seed: static function (int $identities): void {
        foreach (range(0, 7) as $i) {
            Permission::create(['name' => "edit $i", 'guard_name' => 'web']);
        }
        foreach ([1, 2, 3] as $team) {
            setPermissionsTeamId($team);
            foreach (['admin', 'editor', 'reader'] as $j => $role) {
                Role::create(['name' => $role, 'team_id' => $team, 'guard_name' => 'web'])
                    ->givePermissionTo(array_map(static fn (int $i): string => "edit $i", range($j, $j + $team)));
            }
        }
        foreach (User::all() as $user) {
            setPermissionsTeamId($user->id % 3 + 1);
            $user->assignRole(['admin', 'editor', 'reader'][$user->id % 3]);
            $user->givePermissionTo('edit ' . $user->id % 8);
        }
    },
    journey: static function (int $who, int $round): Generator {
        foreach (['', '/editors', '/change', '/editors', '/page', ''] as $page) {
            yield Ask::get("/pk/permission$page");
        }
    },
);
