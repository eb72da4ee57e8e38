// The mixed load: 840 /hello and 360 /test a second, both times SCALE.
import { get, options as load } from './load.js';

export const options = load({ hello: 840, test: 360 });

export function hello() {
	get('/hello', '"message":"Hello"');
}

export function test() {
	get('/test', '"ok":true');
}

// `k6 run` without scenarios, as for a single try.
export default function () {
	hello();
	test();
}
