// What the scripts share: parameters from the environment, scenarios of constant arrival, and what a right answer is.
import http from 'k6/http';
import { check } from 'k6';
import { Rate } from 'k6/metrics';

const text = (name, otherwise) => (__ENV[name] === undefined || __ENV[name] === '' ? otherwise : __ENV[name]);

function number(name, otherwise) {
	const value = Number(text(name, otherwise));
	if (!Number.isFinite(value) || value <= 0) throw new Error(`${name}=${__ENV[name]}: a number above 0 was expected`);
	return value;
}

const base = text('BASE', 'http://127.0.0.1:8000').replace(/\/+$/, '');
const scale = number('SCALE', 1);
const seconds = number('DURATION', 30);
const warmUp = number('WARMUP', 5);
const most = number('VUS', 2000);

// Whether an answer came whole and says what it should. Answers of the warm-up don't count.
const right = new Rate('right_answers');

// What k6 is to do: `rate` requests a second for each exec, whatever the answers do; first a warm-up at half of it.
export function options(kinds) {
	const scenarios = {};
	for (const [exec, perSecond] of Object.entries(kinds)) {
		const rate = perSecond * scale;
		const common = {
			executor: 'constant-arrival-rate', exec, timeUnit: '100s', maxVUs: most, preAllocatedVUs: Math.min(most, Math.max(10, Math.ceil(rate))), gracefulStop: '30s',
		};
		// A rate is a whole number: in 100 seconds a slow one is that too.
		scenarios[`${exec}_warm_up`] = { ...common, rate: Math.max(1, Math.round(rate * 50)), duration: `${warmUp}s`, gracefulStop: '0s', env: { WARMING: '1' }, tags: { phase: 'warm-up' } };
		scenarios[exec] = { ...common, rate: Math.max(1, Math.round(rate * 100)), startTime: `${warmUp}s`, duration: `${seconds}s`, tags: { phase: 'load' } };
	}

	return {
		scenarios,
		summaryTrendStats: ['min', 'med', 'p(95)', 'p(99)', 'max'],
		// A threshold also makes k6 print the figures of the load alone, without the warm-up.
		thresholds: {
			'http_req_duration{phase:load}': ['p(99)<60000'],
			'dropped_iterations': [`count<${number('DROPPED', 1)}`],
			right_answers: ['rate==1'],
		},
	};
}

// One request. `contains` is what every right answer has in it.
export function get(path, contains) {
	const answer = http.get(base + path, { tags: { name: path } });
	const fine = check(answer, {
		'status is 200': (reply) => reply.status === 200,
		'body is right': (reply) => typeof reply.body === 'string' && reply.body.includes(contains),
	});
	if (__ENV.WARMING !== '1') right.add(fine);
	return answer;
}

export { number };
