/* The difference of a group of experiments from the first one: by function, and for the colours of the flame graph. */

const MORE = [213, 94, 0], LESS = [0, 114, 178], SAME = [201, 206, 214];	/* told apart by colour-blind people, too */

class Comparison {
	constructor(page) {
		this.page = page;
	}

	/* The group that is compared with the first. */
	group() {
		const number = Number(state.get('group') || 1);

		return number > 0 && number < this.page.model.groups.length ? number : 1;
	}

	/* The sums of one group, for the choice. */
	sums(group) {
		const { page } = this;
		const { model } = page;
		const chosen = state.threads();
		const threads = model.threads.map((thread, i) => model.groupOf[thread.experiment] === group && (!chosen || chosen.has(i)) ? i : -1);
		const key = `${group} ${page.metric().name} ${state.get('range')} ${state.get('threads')}`;

		this.made ||= new Map();
		if (!this.made.has(key)) {
			if (this.made.size > 8)
				this.made.clear();
			this.made.set(key, page.sumsOf(new Set(threads.filter((i) => i >= 0))));
		}
		return this.made.get(key);
	}

	/* The same path of the flame graph in the first group, and in the other; undefined: it is not there. */
	pair(path) {
		path.pair ||= !path.parent ? this.roots : this.pair(path.parent).map((parent) =>
			parent?.children.find((one) => one.function === path.function));
		return path.pair;
	}

	values(path) {
		return this.pair(path).map((one) => one?.value || 0);
	}

	begin(isInverted) {
		this.roots = [0, this.group()].map((group) => rootOfPaths(this.sums(group), isInverted));
	}

	/* More is orange, less is blue, the same is grey. */
	colour(path) {
		const [first, other] = this.values(path);
		const share = first + other === 0 ? 0 : (other - first) / (first + other);
		const end = share < 0 ? LESS : MORE;

		return `rgb(${SAME.map((from, i) => Math.round(from + Math.abs(share) * (end[i] - from))).join(' ')})`;
	}

	describe(metric, path) {
		const [first, other] = this.values(path);

		return words.comparedWith(showValue(metric, first), showValue(metric, other), showDifference(metric, other - first));
	}
}

function showDifference(metric, value) {
	return `${value < 0 ? '' : '+'}${showValue(metric, value)}`;
}

class Difference {
	constructor(page) {
		const metric = () => page.metric();
		const { groups } = page.model;

		this.page = page;
		this.group = element('select', { id: 'group', onchange: (event) => state.set({ group: event.target.value }) },
			...groups.slice(1).map((name, i) => element('option', { value: i + 1 }, shortened(visible(name), 60))));
		this.flavor = element('select', { id: 'flavor', onchange: (event) => state.set({ flavor: event.target.value }) },
			element('option', { value: 'exclusive' }, words.exclusive), element('option', { value: 'inclusive' }, words.inclusive));
		this.only = element('input', { type: 'checkbox', onchange: (event) => state.set({ significant: event.target.checked ? '1' : null }) });
		this.count = element('p', { class: 'detail', 'aria-live': 'polite' });
		this.table = new Table({
			label: words.difference, order: { column: 2, isUp: false },
			open: (row) => state.set({ view: 'callers', focus: row.number }), mark: (row) => row.isSignificant && 'hot',
			columns: [
				{ title: words.first, key: (row) => row.first, text: (row) => showValue(metric(), row.first) },
				{ title: words.other, key: (row) => row.other, text: (row) => showValue(metric(), row.other) },
				{ title: words.change, key: (row) => Math.abs(row.change), text: (row) => showDifference(metric(), row.change) },
				{ title: words.error, key: (row) => row.error || 0,
					text: (row) => row.error === undefined ? '' : `±${showValue(metric(), row.error)}` },
				{ title: words.significant, key: (row) => row.isSignificant ? 1 : 0, text: (row) => row.isSignificant ? '★' : '' },
				{ title: words.name, isText: true, key: (row) => row.name, text: (row) => row.name },
			],
		});
		this.element = element('section', { class: 'view' },
			element('div', { class: 'tools' },
				element('span', {}, named(visible(groups[0])), ' → '), element('label', { for: 'group' }, words.other), this.group,
				element('label', { for: 'flavor' }, words.values), this.flavor,
				element('label', {}, this.only, ` ${words.onlySignificant}`)),
			this.count, this.table.element, element('p', { class: 'help' }, words.differenceHelp));
	}

	/* Errors and significance are known of the whole run and of all threads. */
	judgements(flavor, group) {
		const found = this.page.model.differences.find((one) => one.metric === this.page.metric().name && one.flavor === flavor);

		return state.range() || state.threads() || !found ? null
			: new Map(found.rows.filter((row) => row[1] === group).map(([number, , error, isSignificant]) => [number, { error, isSignificant: isSignificant === 1 }]));
	}

	show() {
		const comparison = this.page.comparison();
		const group = comparison.group(), flavor = state.get('flavor') === 'inclusive' ? 'inclusive' : 'exclusive';
		const first = comparison.sums(0).functions()[flavor], other = comparison.sums(group).functions()[flavor];
		const judgements = this.judgements(flavor, group);
		const isOnly = judgements && state.get('significant') === '1', match = matcher(state.get('search'));
		const rows = [];

		this.group.value = group;
		this.flavor.value = flavor;
		this.only.checked = state.get('significant') === '1';
		this.only.disabled = !judgements;
		for (let number = 0; number < first.length; number++) {
			const row = { number, name: this.page.functionName(number), first: first[number], other: other[number],
				change: other[number] - first[number], ...judgements?.get(number) };

			if ((row.first !== 0 || row.other !== 0 || number === TOTAL) && (!isOnly || row.isSignificant) && (!match || match(row.name)))
				rows.push(row);
		}
		this.count.textContent = judgements
			? words.significantCount([...judgements.values()].filter((one) => one.isSignificant).length) : words.noJudgement;
		this.table.show(rows);
	}
}
