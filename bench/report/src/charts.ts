// Draws the charts that the page describes: bench/src/Report/Chart.php.
import * as Plot from '@observablehq/plot';

interface Datum { series: string; x: number | string; y: number; low?: number; high?: number; from?: number }
interface Chart { kind: 'lines' | 'bars'; title: string; x: string; y: string; scale: 'linear' | 'log' | 'percentile'; data: Datum[] }

const { arms, charts } = JSON.parse(document.getElementById('charts')?.textContent ?? '{"arms":[],"charts":[]}') as { arms: string[]; charts: Chart[] };

// 90, 99 and 99.9 % are equally far apart.
const nines = (percent: number): number => -Math.log10(Math.max(1e-6, 1 - percent / 100));
const named = (datum: Datum): string => `${datum.series}\n${datum.x}: ${+datum.y.toPrecision(3)}`;
const uncertain = (data: Datum[]): Datum[] => data.filter((datum) => (datum.high ?? 0) > (datum.low ?? 0));

// An arm has one colour and one symbol in all charts.
function domain(data: Datum[]): string[] {
	const series = new Set(data.map((datum) => datum.series));
	return [...series].every((name) => arms.includes(name)) ? arms : [...arms.filter((name) => series.has(name)), ...[...series].filter((name) => !arms.includes(name))];
}

function lines({ x, y, scale, data }: Chart): Plot.PlotOptions {
	const at = (datum: Datum): number => (scale === 'percentile' ? nines(Number(datum.x)) : Number(datum.x));
	const values = data.map((datum) => datum.y);
	const steep = scale !== 'linear' && Math.min(...values) > 0 && Math.max(...values) > 50 * Math.min(...values);
	return {
		x: { label: x, type: scale === 'log' ? 'log' : 'linear', ...(scale === 'percentile' ? { ticks: [50, 90, 99, 99.9].map(nines), tickFormat: (tick: number) => `${+(100 - 100 * 10 ** -tick).toFixed(1)}` } : {}) },
		y: { label: y, type: steep ? 'log' : 'linear', grid: true, zero: !steep },
		marks: [
			Plot.ruleX(uncertain(data), { x: at, y1: 'low', y2: 'high', stroke: 'series', strokeOpacity: 0.6 }),
			Plot.line(data, { x: at, y: 'y', stroke: 'series', z: 'series', strokeWidth: 2 }),
			Plot.dot(data, { x: at, y: 'y', stroke: 'series', symbol: 'series' }),
			Plot.tip(data, Plot.pointer({ x: at, y: 'y', title: named })),
		],
	};
}

function bars({ y, data }: Chart): Plot.PlotOptions {
	const labels = new Set(data.map((datum) => datum.x));
	// Several series share a label: each gets a lane of its own there, unless one goes on where another ends.
	const apart = labels.size < data.length && !data.some((datum) => (datum.from ?? 0) > 0);
	return {
		marginLeft: Math.min(260, 20 + 6 * Math.max(...[...labels].map((label) => String(label).length))),
		x: { label: y, grid: true, zero: true },
		y: { label: null, domain: apart ? domain(data).filter((name) => data.some((datum) => datum.series === name)) : [...labels], axis: apart ? null : 'left' },
		...(apart ? { fy: { label: null, domain: [...labels], axis: 'left' } } : {}),
		marks: [
			Plot.barX(data, { ...(apart ? { y: 'series', fy: 'x' } : { y: 'x' }), x1: (datum: Datum) => datum.from ?? 0, x2: 'y', fill: 'series' }),
			Plot.ruleY(uncertain(data), { ...(apart ? { y: 'series', fy: 'x' } : { y: 'x' }), x1: 'low', x2: 'high' }),
			Plot.tip(data, Plot.pointer({ ...(apart ? { y: 'series', fy: 'x' } : { y: 'x' }), x: 'y', title: named })),
		],
	};
}

for (const place of document.querySelectorAll<HTMLElement>('[data-chart]')) {
	const chart = charts[Number(place.dataset['chart'])];
	if (chart === undefined) continue;
	const names = domain(chart.data);
	const used = names.filter((name) => chart.data.some((datum) => datum.series === name));
	const svg = Plot.plot({
		width: 640,
		ariaLabel: `${chart.title}. The figures are in the tables.`,
		color: { domain: names },
		...(chart.kind === 'bars' ? bars(chart) : { ...lines(chart), symbol: { domain: names } }),
	});
	const legend = Plot.legend({ color: { domain: used, range: used.map((name) => (svg.scale('color') as Plot.Scale).apply(name) as string) } });
	place.append(legend, svg);
}
