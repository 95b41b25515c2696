/* Calls that were traced: locks, transfers to and from files, the heap. A list of objects, functions or call stacks;
 * below it the stacks of the row that is chosen, and the frames of one of them. */

const TRACED = {
	locks: { data: 'sync', objects: 'locks', stacks: 'lockStacks', ways: ['object', 'function', 'stack'] },
	io: { data: 'io', objects: 'ioFiles', stacks: 'ioStacks', ways: ['object', 'function', 'stack'] },
	heap: { data: 'heap', ways: ['stack', 'function'] },
};

function hasTraced(name) {
	return (model) => model.metrics.some((metric) => metric.data === TRACED[name].data);
}

class Traced {
	constructor(page, name) {
		const { data, ways, objects, stacks } = TRACED[name];

		this.page = page;
		this.name = name;
		this.metrics = page.model.metrics.filter((metric) => metric.data === data)
			.map((metric, place) => ({ ...metric, place })).filter((metric) => page.wholeValue(metric) !== 0);
		this.objects = page.model[objects] || [];
		this.objectStacks = page.model[stacks] || [];
		this.way = element('select', {
			id: `${name}-by`, onchange: (event) => this.set({ by: event.target.value, item: null, stack: null }),
		}, ...ways.map((way) => element('option', { value: way }, way === 'object' ? words.objectsOf[name] : words.ways[way])));
		this.note = element('p', { class: 'detail', 'aria-live': 'polite' });
		this.list = this.table(words[name], (row) => this.set({ item: row.id, stack: null }), (row) => row === this.item,
			Math.max(0, this.metrics.findIndex((metric) => metric.name === 'heapleakbytes')));
		this.stacks = this.table(words.stacks, (row) => this.set({ stack: row.id }), (row) => row === this.stack);
		this.frames = new Table({
			label: words.frames, order: {}, open: (row) => this.openFrame(row),
			columns: [
				{ title: words.name, isText: true, text: (row) => row.name },
				{ title: words.place, isText: true, text: (row) => row.where },
			],
		});
		this.below = element('div', { class: 'below' }, this.stacks.element, this.frames.element);
		this.element = element('section', { class: 'view traced' },
			element('div', { class: 'tools' }, element('label', { for: `${name}-by` }, words.by), this.way, this.note),
			this.list.element, this.below, element('p', { class: 'help' }, words.tracedHelp));
	}

	table(label, open, isChosen, column = 0) {
		return new Table({
			label, open, isChosen, order: { column, isUp: false },
			columns: [
				...this.metrics.map((metric, i) => ({
					title: metric.title, key: (row) => row.values[i], text: (row) => showValue(metric, row.values[i]),
				})),
				{ title: words.name, isText: true, key: (row) => row.name, text: (row) => row.name },
			],
		});
	}

	/* ---- what is chosen: the state has a name of this view before each ---- */

	get(key) {
		return state.get(`${this.name}-${key}`);
	}

	set(changes) {
		state.set(Object.fromEntries(Object.entries(changes).map(([key, value]) => [`${this.name}-${key}`, value])));
	}

	/* ---- rows ---- */

	objectRows() {
		return this.objects.map(([name, values, more], number) => ({
			id: String(number), values: this.valuesShown(values), name: more ? `${visible(name)} (${visible(more)})` : visible(name),
			stacks: () => this.objectStacks.filter(([object]) => object === number)
				.map(([, values, places], i) => this.stackRow(String(i), this.valuesShown(values), () => this.framesOfPlaces(places))),
		}));
	}

	/* Metrics that nothing has are left out. */
	valuesShown(values) {
		return this.metrics.map(({ place }) => values[place]);
	}

	functionRows() {
		const sums = this.metrics.map((metric) => this.page.sums(metric).functions().inclusive);
		const rows = [];

		for (let number = 1; number < this.page.names.length; number++) {
			const values = sums.map((inclusive) => inclusive[number]);

			if (values.some((value) => value !== 0))
				rows.push({
					id: String(number), values, name: this.page.functionName(number),
					stacks: () => this.siteRows().filter(({ frames }) => frames().some((frame) => frame.number === number)),
				});
		}
		return rows;
	}

	siteRows() {
		const sites = this.page.sites();
		const values = this.metrics.map((metric) => sites.values(metric).own);
		const rows = [];

		for (let site = 1; site < sites.count; site++) {
			const own = values.map((list) => list[site]);

			if (own.some((value) => value !== 0))
				rows.push(this.stackRow(String(site), own, () => this.framesOfSite(site)));
		}
		return rows;
	}

	/* A stack is named by its leaf and the callers of it. */
	stackRow(id, values, find) {
		let made;
		const frames = () => made ||= find();

		return {
			id, values, frames,
			get name() {
				return frames().slice(0, 3).map((frame) => shortened(frame.name, 100)).join(' ← ') || words.noStack;
			},
		};
	}

	framesOfSite(site) {
		return this.page.sites().frames(site).map(({ function: number, file, line }) => ({
			number, name: this.page.functionName(number), where: showPlace(this.page.model.files[file]?.path, line),
		}));
	}

	framesOfPlaces(places) {
		const ends = { '-1': '<Truncated-stack>', '-2': '<Stack-unwind-failed>' };

		return places.flatMap((place) => place < 0 ? [{ name: ends[place], where: '' }]
			: this.page.model.stackPlaces[place].map(([name, path, line]) => ({
				number: this.page.model.functions.indexOf(name), name: visible(name), where: showPlace(path, line),
			})));
	}

	/* With the metric by which the list is ordered. */
	openFrame({ number }) {
		const metric = this.metrics[this.list.order.column] || this.metrics[0];

		if (number > 0)
			state.set({ view: 'callers', focus: number, metric: metric.name });
	}

	/* ---- what is shown ---- */

	show() {
		const ways = [...this.way.options].map((option) => option.value);
		const way = ways.includes(this.get('by')) ? this.get('by') : ways[0];
		const match = matcher(state.get('search'));
		let rows = { object: () => this.objectRows(), function: () => this.functionRows(), stack: () => this.siteRows() }[way]();

		if (match)
			rows = rows.filter((row) => match(row.name) || (row.frames && row.frames().some((frame) => match(frame.name))));
		this.way.value = way;
		this.list.show(rows);
		this.item = rows.find((row) => row.id === this.get('item')) || this.list.rows[0];
		this.list.redraw();
		this.showBelow(way);
		this.showNote(way);
	}

	showBelow(way) {
		const stacks = way === 'stack' || !this.item ? [] : this.item.stacks();

		this.stacks.element.hidden = way === 'stack';
		this.stacks.show(stacks);
		this.stack = way === 'stack' ? this.item : stacks.find((row) => row.id === this.get('stack')) || this.stacks.rows[0];
		this.stacks.redraw();
		this.frames.show(this.stack ? this.stack.frames() : []);
	}

	/* Objects are those of all threads; times are known by function only. */
	showNote(way) {
		const { heapPeak, experiments } = this.page.model;
		const notes = [words.rows(this.list.rows.length)];

		if (this.name === 'heap' && heapPeak?.bytes > 0)
			notes.push(words.peak(showBytes(heapPeak.bytes), visible(experiments[heapPeak.experiment].name), showMoment(heapPeak.time)));
		if ((way === 'object' && (state.threads() || state.range())) || (way === 'stack' && state.range()))
			notes.push(way === 'object' ? words.allThreads : words.allTimes);
		this.note.textContent = notes.join('  –  ');
	}
}

function showPlace(path, line) {
	return path ? visible(`${path}:${line}`) : '';
}

class Locks extends Traced {
	constructor(page) {
		super(page, 'locks');
	}
}

class Transfers extends Traced {
	constructor(page) {
		super(page, 'io');
	}
}

class Heap extends Traced {
	constructor(page) {
		super(page, 'heap');
	}
}
