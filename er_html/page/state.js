/* The state of the page is the fragment of its address, so that a link shows what its sender saw. */

const state = {
	values: new URLSearchParams(),
	listeners: [],

	get(name) {
		return this.values.get(name);
	},

	/* The values after some changes; null removes one. A line is that of a function. */
	with(changes) {
		const values = new URLSearchParams(this.values);

		if ('focus' in changes)
			values.delete('line');
		for (const [name, value] of Object.entries(changes)) {
			if (value === null || value === '')
				values.delete(name);
			else
				values.set(name, value);
		}
		return values;
	},

	/* Change some values. With a step, the browser's Back returns to the state before. */
	set(changes, isStep = true) {
		const values = this.with(changes);

		if (values.toString() === this.values.toString())
			return;
		history[isStep ? 'pushState' : 'replaceState'](null, '', `#${values}`);
		this.read();
	},

	read() {
		this.values = new URLSearchParams(location.hash.slice(1));
		for (const listener of this.listeners)
			listener();
	},

	/* Nanoseconds in a part of the run: events are known by part, so ranges begin and end between two of them. */
	timeUnit: 1,

	wholeParts([from, to]) {
		const unit = this.timeUnit;
		const first = Math.round(from / unit);

		return [first * unit, Math.max(first + 1, Math.round(to / unit)) * unit];
	},

	/* "1.5-2.25", in seconds: returns nanoseconds, or null. */
	range() {
		const parts = (this.get('range') || '').split('-').map((text) => parseFloat(text) * 1e9);

		return parts.length === 2 && parts[0] < parts[1] ? this.wholeParts(parts) : null;
	},

	setRange(range, isStep) {
		range = range && this.wholeParts(range);
		this.set({ range: range && range.map((time) => (time / 1e9).toFixed(9).replace(/0+$/, '0')).join('-') },
			isStep);
	},

	threadCount: 0,

	/* "0.3.4": numbers of threads, or null. A link may be one of another page, with more of them. */
	threads() {
		const numbers = (this.get('threads') || '').split('.').filter(Boolean).map(Number).filter((number) => number < this.threadCount);

		return numbers.length > 0 ? new Set(numbers) : null;
	},

	setThreads(threads) {
		this.set({ threads: threads && threads.size > 0 ? [...threads].sort((a, b) => a - b).join('.') : null });
	},
};

window.addEventListener('popstate', () => state.read());
window.addEventListener('hashchange', () => state.read());

/* What a search finds: a part of a name in any case, or "/an expression/". */
function matcher(text) {
	const expression = /^\/(.+)\/$/.exec(text);

	if (!text)
		return null;
	if (expression) {
		try {
			const compiled = new RegExp(expression[1], 'i');

			return (name) => compiled.test(name);
		} catch {
			return () => false;
		}
	}
	text = text.toLowerCase();
	return (name) => name.toLowerCase().includes(text);
}
