// /bench: QUERIES queries (10; or 5), one after the other. RATE requests a second (1000), times SCALE.
import { get, number, options as load } from './load.js';

const queries = number('QUERIES', 10);

export const options = load({ bench: number('RATE', 1000) });

export function bench() {
	get(`/bench?n=${queries}`, queries > 5 ? '"latest_views":' : '"totals":');
}

export default bench;
