// /test: 10 ms in the database. RATE requests a second (360), times SCALE.
import { get, number, options as load } from './load.js';

export const options = load({ test: number('RATE', 360) });

export function test() {
	get('/test', '"ok":true');
}

export default test;
