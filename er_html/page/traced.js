/* Calls that were traced: locks, transfers to and from files, the heap. A list of objects, functions or call stacks;
 * below it the stacks of the row that is chosen, and the frames of one of them. */

const TRACED = {
	locks: { data: 'sync', objects: 'locks', ways: ['object', 'function', 'stack'] },
	io: { data: 'io', objects: 'ioFiles', ways: ['object', 'function', 'stack'] },
	heap: { data: 'heap', ways: ['stack', 'function'] },
};

function hasTraced(name) {
	return (model) => model.metrics.some((metric) => metric.data === TRACED[name].data);
}

class Traced {
	constructor(page, name) {
		const { data, ways, objects } = TRACED[name];

		this.page = page;
		this.name = name;
		this.metrics = page.model.metrics.filter((metric) => metric.data === data)
			.filter((metric) => page.wholeValue(metric) !== 0);
		this.objects = page.model[objects] || [];
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
				{ title: words.place, isText: true, text: (row) => row.where,
					fill: (cell, row) => cell.append(page.linkToLine(row.number, row.file, row.line)) },
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

	choices() {
		return this.metrics.map((metric) => this.page.chosen(metric));
	}

	/* ---- rows ---- */

	objectRows() {
		const sums = this.choices().map((choice) => this.page.model.bySubject(choice));

		return this.objects.map(([subject, name, more], number) => ({
			id: String(number), values: sums.map((list) => list[subject]),
			name: more ? `${visible(name)} (${visible(more)})` : visible(name),
			stacks: () => this.stackRows(this.page.sites().valuesOf(this.choices(), subject), 0),
		})).filter(({ values }) => values.some((value) => value !== 0));
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

	/* Without the events that have no stack. */
	siteRows() {
		return this.stackRows(this.choices().map((choice) => this.page.sites().values(choice).own), 1);
	}

	/* values: of the sites, for each metric. */
	stackRows(values, first) {
		const rows = [];

		for (let site = first; site < this.page.sites().count; site++) {
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
			number, file, line, name: this.page.functionName(number), where: showPlace(this.page.model.files[file]?.path, line),
		}));
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
		this.showNote();
	}

	showBelow(way) {
		const stacks = way === 'stack' || !this.item ? [] : this.item.stacks();

		this.stacks.element.hidden = way === 'stack';
		this.stacks.show(stacks);
		this.stack = way === 'stack' ? this.item : stacks.find((row) => row.id === this.get('stack')) || this.stacks.rows[0];
		this.stacks.redraw();
		this.showFrames(this.stack ? this.stack.frames() : []);
	}

	/* The current one is at first that of the program's own call, which follows those of libraries. */
	showFrames(frames) {
		const own = frames.findIndex(({ number }) => !this.page.isOfLibrary(number));
		const key = frames.map(({ number }) => number).join();

		this.frames.show(frames);
		if (this.framesShown !== key)
			this.frames.goTo(Math.max(0, own));
		this.framesShown = key;
	}

	showNote() {
		const { heapPeak, experiments } = this.page.model;
		const notes = [words.rows(this.list.rows.length)];

		if (this.name === 'heap' && heapPeak?.bytes > 0)
			notes.push(words.peak(showBytes(heapPeak.bytes), visible(experiments[heapPeak.experiment].name), showMoment(heapPeak.time)));
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
