// /hello: no database. RATE requests a second (1000), times SCALE.
import { get, number, options as load } from './load.js';

export const options = load({ hello: number('RATE', 1000) });

export function hello() {
	get('/hello', '"message":"Hello"');
}

export default hello;
