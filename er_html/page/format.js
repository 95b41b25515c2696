/* Figures as text. Times are in nanoseconds, and shown in seconds as er_print shows them. */

function showTime(nanoseconds) {
	return (nanoseconds / 1e9).toFixed(3);
}

function showCount(count) {
	return Math.round(count).toString();
}

function showValue(metric, value) {
	return metric.unit === 'time' ? showTime(value) : showCount(value);
}

function showPercent(value, all) {
	return all === 0 ? '0.00' : (100 * value / all).toFixed(2);
}

/* A time of the run, with as many digits as tell it from one a step away. */
function showMoment(nanoseconds, step = 1e6) {
	const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9))));

	return `${(nanoseconds / 1e9).toFixed(digits)} s`;
}

const BINARY_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function showBytes(bytes) {
	let unit = 0;

	for (; Math.abs(bytes) >= 1024 && unit < BINARY_UNITS.length - 1; unit++)
		bytes /= 1024;
	return `${unit === 0 ? bytes : bytes.toFixed(1)} ${BINARY_UNITS[unit]}`;
}

/* Steps for an axis: 1, 2 or 5 times a power of ten. */
function roundStep(wanted) {
	const power = 10 ** Math.floor(Math.log10(wanted));

	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= wanted);
}
