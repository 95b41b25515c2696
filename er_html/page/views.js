/* Views that are tables: functions, callers and callees, the tree of calls, experiments. */

function figureColumn(page, title, value) {
	return { title, key: value, text: (row) => showValue(page.metric(), value(row)) };
}

function shareColumn(page, value, all) {
	return { title: words.share, key: value, text: (row) => showPercent(value(row), all()) };
}

class Functions {
	constructor(page) {
		const all = () => page.sums().all;

		this.page = page;
		this.table = new Table({
			label: words.functions, order: { column: 0, isUp: false },
			open: (row) => state.set({ focus: row.number, view: 'callers' }),
			columns: [
				figureColumn(page, words.exclusive, (row) => row.exclusive),
				shareColumn(page, (row) => row.exclusive, all),
				figureColumn(page, words.inclusive, (row) => row.inclusive),
				shareColumn(page, (row) => row.inclusive, all),
				{ title: words.name, isText: true, key: (row) => row.name, text: (row) => row.name },
				{ title: words.object, isText: true, key: (row) => row.object, text: (row) => row.object },
			],
		});
		this.count = element('span', { class: 'detail', 'aria-live': 'polite' });
		this.own = element('input', { type: 'checkbox', id: 'own', onchange: (event) => state.set({ own: event.target.checked ? '1' : null }) });
		this.element = element('section', { class: 'view' },
			element('div', { class: 'tools' }, element('label', {}, this.own, ` ${words.ownOnly}`), this.count), this.table.element);
	}

	show() {
		const { exclusive, inclusive } = this.page.sums().functions();
		const match = matcher(state.get('search'));
		const isOwn = state.get('own') === '1';
		const rows = [];

		this.own.checked = isOwn;
		for (let number = 0; number < inclusive.length; number++) {
			const name = this.page.functionName(number), object = this.page.objectName(number);
			const isWanted = (!match || match(name) || match(object)) && !(isOwn && this.page.isOfLibrary(number));

			if (number === TOTAL || (inclusive[number] !== 0 && isWanted))
				rows.push({ number, name, object, exclusive: exclusive[number], inclusive: inclusive[number] });
		}
		/* The order of those that are equal. */
		rows.sort((a, b) => b.inclusive - a.inclusive);
		this.count.textContent = words.rows(rows.length);
		this.table.show(rows);
	}
}

class Callers {
	constructor(page) {
		this.page = page;
		this.title = element('h2');
		this.callers = this.side(words.callers);
		this.callees = this.side(words.callers);
		this.above = element('h3');
		this.below = element('h3');
		this.middle = element('p', { class: 'detail' });
		this.element = element('section', { class: 'view both' },
			this.above, this.callers.element, this.middle, this.below, this.callees.element);
	}

	side(label) {
		return new Table({
			label, order: { column: 0, isUp: false }, open: (row) => state.set({ focus: row.number }),
			columns: [
				figureColumn(this.page, words.attributed, (row) => row.value),
				shareColumn(this.page, (row) => row.value, () => this.attributed),
				{ title: words.name, isText: true, text: (row) => this.page.functionName(row.number),
					key: (row) => this.page.functionName(row.number) },
			],
		});
	}

	show() {
		const sums = this.page.sums();
		const focus = this.page.focus() || sums.hottest();
		const { callers, callees, attributed } = sums.neighbours(focus);
		const { exclusive, inclusive } = sums.functions();
		const metric = this.page.metric();
		const name = this.page.functionName(focus);

		this.attributed = attributed;
		this.above.textContent = words.callersOf(shortened(name, 200));
		this.below.textContent = words.calleesOf(shortened(name, 200));
		this.middle.replaceChildren(element('strong', {}, named(name)), ` ${words.exclusive} ` +
			`${showValue(metric, exclusive[focus])}, ${words.inclusive} ${showValue(metric, inclusive[focus])}`);
		this.callers.show(callers);
		this.callees.show(callees);
	}
}

/* The tree of calls, whose rows are opened one by one. */
class CallTree {
	constructor(page) {
		this.page = page;
		this.open = new Set();
		this.table = new Table({
			label: words.tree, order: {}, open: (row) => this.toggle(row.path),
			columns: [
				{ title: words.inclusive, text: (row) => showValue(page.metric(), row.path.value) },
				{ title: words.share, text: (row) => showPercent(row.path.value, page.sums().all) },
				{ title: words.name, isText: true, text: (row) => page.functionName(row.path.function),
					fill: (cell, row) => this.fillName(cell, row) },
			],
		});
		this.element = element('section', { class: 'view' }, this.table.element);
	}

	fillName(cell, { path }) {
		const mark = path.children.length === 0 ? '' : this.open.has(pathText(path)) ? '▾' : '▸';

		cell.style.paddingLeft = `${path.depth * 16 + 8}px`;
		cell.append(element('span', { class: 'mark', 'aria-hidden': 'true' }, mark),
			named(this.page.functionName(path.function)));
	}

	toggle(path) {
		const text = pathText(path);

		if (!this.open.delete(text))
			this.open.add(text);
		this.show();
	}

	/* Where a path has no branch worth showing, it is opened further. */
	show() {
		const root = rootOfPaths(this.page.sums(), false);
		const rows = [];
		const waiting = [root];

		if (this.open.size === 0)
			for (let path = root; path; path = path.children.find((child) => child.value > 0.5 * root.value))
				this.open.add(pathText(path));
		while (waiting.length > 0) {
			const path = waiting.pop();

			rows.push({ path });
			if (this.open.has(pathText(path)))
				waiting.push(...[...path.children].reverse());
		}
		this.table.show(rows);
	}
}

class Experiments {
	constructor(page) {
		this.page = page;
		this.table = new Table({
			label: words.experiments, order: {}, open: (row) => this.choose(row.number),
			columns: [
				{ title: words.experiment, isText: true, text: (row) => visible(row.name),
					fill: (cell, row) => {
						cell.style.paddingLeft = `${this.depth(row) * 16 + 8}px`;
						cell.append(named(visible(row.name)));
					} },
				{ title: page.metric().title, text: (row) => showValue(page.metric(), row.value) },
				{ title: words.share, text: (row) => showPercent(row.value, page.sums().all) },
				{ title: words.command, isText: true, text: (row) => visible(row.command) },
				{ title: words.duration, text: (row) => showTime(row.end) },
			],
		});
		this.element = element('section', { class: 'view' }, this.table.element);
	}

	depth(row) {
		return row.parent === null ? 0 : 1 + this.depth(this.page.model.experiments[row.parent]);
	}

	/* Only the threads of an experiment. */
	choose(number) {
		const { threads } = this.page.model;

		state.setThreads(new Set(threads.map((thread, i) => thread.experiment === number ? i : -1).filter((i) => i >= 0)));
	}

	show() {
		const { model } = this.page;
		const values = model.experiments.map(() => 0);

		model.byThread(this.page.chosen()).forEach((value, thread) => { values[model.threads[thread].experiment] += value; });
		this.table.show(model.experiments.map((one, number) => ({ ...one, number, value: values[number] })));
	}
}
