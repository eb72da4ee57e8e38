// Runs the scripts without k6, which not every machine has: `node check.mjs http://127.0.0.1:8000`.
// Its modules are replaced by the few lines below, each script's functions are called once against that server, and
// its scenarios are looked at. Exit status 1 when something is not as k6 would need it.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { register } from 'node:module';

const base = process.argv[2];
if (base === undefined) {
	console.error('usage: node check.mjs BASE-URL [SCRIPT.js…]');
	process.exit(2);
}
const failures = [];
const requests = [];

globalThis.__ENV = { ...process.env, BASE: base, DROPPED: '1' };
globalThis.k6stub = {
	// k6 waits for the answer, so this has to as well.
	get(url) {
		const curl = spawnSync('curl', ['-s', '--max-time', '20', '-w', '\n%{http_code}', url], { encoding: 'utf8' });
		const end = curl.stdout.lastIndexOf('\n');
		requests.push(url);
		return { status: Number(curl.stdout.slice(end + 1)), body: curl.stdout.slice(0, end) };
	},
	check(value, checks) {
		return Object.entries(checks).map(([name, holds]) => {
			if (!holds(value)) failures.push(`${requests.at(-1)}: not so: ${name} (status ${value.status}, body ${String(value.body).slice(0, 120)})`);
			return holds(value);
		}).every(Boolean);
	},
};

const modules = {
	k6: 'export const check = globalThis.k6stub.check;',
	'k6/http': 'export default { get: globalThis.k6stub.get };',
	'k6/metrics': 'export class Rate { constructor(name) { this.name = name; } add() {} }',
};
const hooks = `const modules = ${JSON.stringify(modules)};
export async function resolve(name, context, next) {
	return name in modules ? { url: 'data:text/javascript,' + encodeURIComponent(modules[name]), shortCircuit: true } : next(name, context);
}
// k6 takes every script for a module; node would ask a package.json.
export async function load(url, context, next) {
	return next(url, url.startsWith('file:') && url.endsWith('.js') ? { ...context, format: 'module' } : context);
}`;
register('data:text/javascript,' + encodeURIComponent(hooks));

function examine(name, script) {
	const scenarios = Object.entries(script.options?.scenarios ?? {});
	if (scenarios.length === 0) failures.push(`${name}: no scenario`);
	for (const [title, scenario] of scenarios) {
		for (const [key, right] of Object.entries({
			executor: (value) => value === 'constant-arrival-rate',
			rate: (value) => Number.isInteger(value) && value > 0,
			duration: (value) => /^\d+(\.\d+)?s$/.test(value),
			preAllocatedVUs: (value) => Number.isInteger(value) && value > 0 && value <= scenario.maxVUs,
			exec: (value) => typeof script[value] === 'function',
		})) {
			if (!right(scenario[key])) failures.push(`${name}: scenario ${title} has ${key} ${JSON.stringify(scenario[key])}`);
		}
	}
	const functions = new Set([script.default, ...scenarios.map(([, scenario]) => script[scenario.exec])]);
	for (const run of functions) run?.();
	if (typeof script.default !== 'function') failures.push(`${name}: no default function`);
}

const directory = new URL('.', import.meta.url);
const scripts = process.argv.length > 3 ? process.argv.slice(3) : readdirSync(directory).filter((name) => name.endsWith('.js') && name !== 'load.js');
for (const name of scripts) {
	const before = failures.length;
	try {
		examine(name, await import(new URL(name, directory)));
	} catch (error) {
		failures.push(`${name}: ${error.message}`);
	}
	console.log(`${failures.length === before ? 'ok    ' : 'FAILED'} ${name}`);
}
console.log(`${requests.length} requests`);
if (failures.length > 0) {
	console.error(failures.join('\n'));
	process.exit(1);
}
