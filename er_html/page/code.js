/* Source and instructions of the functions that are in the page, with the values of each line. */

const LINE_KEY = 2 ** 24;	/* lines of a file; keys are file * LINE_KEY + line */

class Code {
	constructor(page) {
		this.page = page;
		this.sites = page.sites();
		this.chooser = element('select', { id: 'code', onchange: (event) => state.set({ focus: event.target.value }) });
		this.kind = element('select', { id: 'code-kind', onchange: (event) => state.set({ code: event.target.value, line: null }) },
			element('option', { value: 'source' }, words.source), element('option', { value: 'disasm' }, words.disasm));
		this.note = element('p', { class: 'detail', 'aria-live': 'polite' });
		this.table = new Table({
			label: words.code, order: {}, open: (row) => this.open(row), mark: (row) => row.isHot && 'hot',
			columns: [
				{ title: words.exclusive, text: (row) => this.figure(row, 0) },
				{ title: words.share, text: (row) => this.share(row, 0) },
				{ title: words.inclusive, text: (row) => this.figure(row, 1) },
				{ title: words.share, text: (row) => this.share(row, 1) },
				{ title: words.line, text: (row) => row.label },
				{ title: words.text, isText: true, text: (row) => row.text, fill: (cell, row) => this.fillText(cell, row) },
			],
		});
		this.element = element('section', { class: 'view code' },
			element('div', { class: 'tools' },
				element('label', { for: 'code' }, words.name), this.chooser,
				element('label', { for: 'code-kind' }, words.code), this.kind,
				element('button', { type: 'button', onclick: () => this.goToNext() }, words.nextHot)),
			this.note, this.table.element, element('p', { class: 'help' }, words.codeHelp));
		this.table.element.addEventListener('keydown', (event) => {
			if (event.key === 'n' && !event.ctrlKey && !event.metaKey)
				this.goToNext();
		});
	}

	figure({ values, hasCode }, flavor) {
		return values ? showValue(this.page.metric(), values[flavor]) : hasCode ? showValue(this.page.metric(), 0) : '';
	}

	share({ values }, flavor) {
		return values && values[flavor] !== 0 ? showPercent(values[flavor], this.all) : '';
	}

	fillText(cell, row) {
		cell.classList.add(row.kind);
		cell.append(row.text);
	}

	/* ---- what there is ---- */

	/* The function that is shown: the chosen one, or the one with the largest value, in no library and with its source if
	 * there is such a one. */
	chosen() {
		const { code } = this.page.model;
		const { exclusive } = this.page.sums().functions();
		const readable = code.filter((one) => this.hasSource(one) && !this.page.isOfLibrary(one.function));

		return code.find((one) => one.function === this.page.focus()) || (readable.length > 0 ? readable : code)
			.reduce((most, one) => exclusive[one.function] > exclusive[most.function] ? one : most);
	}

	showChooser(chosen) {
		const { inclusive } = this.page.sums().functions();
		const list = [...this.page.model.code].sort((a, b) => inclusive[b.function] - inclusive[a.function]);

		this.chooser.replaceChildren(...list.map((one) => element('option', { value: one.function },
			`${shortened(this.page.functionName(one.function), 120)}`)));
		this.chooser.value = chosen.function;
	}

	show() {
		const chosen = this.chosen();
		const hasSource = this.hasSource(chosen), hasCode = Boolean(chosen.text);
		const wanted = state.get('code') || 'source';
		const kind = (wanted === 'source' && hasSource) || !hasCode ? 'source' : 'disasm';
		const shown = `${chosen.function} ${kind} ${state.get('line')}`;
		const isNew = this.shown !== shown;

		this.showChooser(chosen);
		this.kind.options[0].disabled = !hasSource;
		this.kind.options[1].disabled = !hasCode;
		this.kind.value = kind;
		this.all = this.page.sums().all;
		this.values = this.sites.values(this.page.chosen());
		this.rows = kind === 'source' ? this.sourceRows(chosen) : this.instructionRows(chosen);
		this.markHot();
		this.table.show(this.rows);
		this.showNote(chosen);
		this.shown = shown;
		if (isNew)
			this.goTo(this.firstRow(chosen, kind));
	}

	file(number) {
		return number < 0 ? undefined : this.page.model.files[number];
	}

	hasSource({ file }) {
		return this.file(file)?.parts?.length > 0;
	}

	showNote({ file }) {
		const { path, isChanged, isNewer, parts } = this.file(file) || {};
		const notes = [path ? visible(path) : words.noSourceKnown];

		if (path && !parts)
			notes.push(words.noText);
		if (isChanged)
			notes.push(words.sourceChanged);
		else if (isNewer)
			notes.push(words.sourceNewer);
		this.note.textContent = notes.map((note) => shortened(note, 400)).join('  –  ');
	}

	/* ---- lines ---- */

	lineValues(file) {
		const { frameFile, frameLine } = this.page.model.columns;
		const { firstFrame } = this.sites;
		const keys = [];

		return this.sites.sums(this.values, (place) => {
			keys.length = 0;
			for (let i = firstFrame[place]; i < firstFrame[place + 1]; i++)
				keys.push(frameFile[i] * LINE_KEY + frameLine[i]);
			return keys;
		});
	}

	/* Lines of the file that are in the page; between their parts is a row that says so. */
	sourceRows({ file }) {
		const sums = this.lineValues();
		const { parts, code } = this.file(file);
		const withCode = new Set(code);
		const headings = this.headings(file);
		const rows = [];
		let next = 1;

		for (const [first, text] of parts) {
			if (first > next)
				rows.push({ label: '', text: '⋯', kind: 'gap' });
			text.split('\n').forEach((content, i) => {
				const line = first + i;

				for (const name of headings.get(line) || [])
					rows.push({ label: '', text: `<${words.function}: ${name}>`, kind: 'heading', line });
				rows.push({
					label: String(line), text: showSource(content), kind: 'text', line,
					values: sums.get((file + 1) * LINE_KEY + line), hasCode: withCode.has(line),
				});
			});
			next = first + text.split('\n').length;
		}
		return rows;
	}

	/* The functions that begin at each line. */
	headings(file) {
		const headings = new Map();

		for (const one of this.page.model.code)
			if (one.file === file && one.line > 0)
				headings.set(one.line, [...headings.get(one.line) || [], this.page.functionName(one.function)]);
		return headings;
	}

	/* ---- instructions ---- */

	/* Values by the place in the code: [exclusive, inclusive] by offset. */
	offsetValues(number) {
		const { placeOffset } = this.page.model.columns;
		const none = [], one = [0];

		return this.sites.sums(this.values, (place) => {
			if (this.sites.ownFunction(place) !== number)
				return none;
			one[0] = placeOffset[place - 1];
			return one;
		});
	}

	/* Source lines precede the instructions that were made of them. */
	instructionRows(chosen) {
		const sums = [...this.offsetValues(chosen.function)].sort((a, b) => a[0] - b[0]);
		const source = this.sourceLines(chosen.file);
		const rows = [{ label: '', text: `<${words.function}: ${this.page.functionName(chosen.function)}>`, kind: 'heading' }];
		let last = null, next = 0;

		chosen.text.split('\n').forEach((text, i) => {
			const { [i]: offset } = chosen.offsets, { [i]: line } = chosen.lines, { [i]: file } = chosen.files;
			const end = i + 1 < chosen.offsets.length ? chosen.offsets[i + 1] : Infinity;
			let values;

			if (file === chosen.file && line !== last && source.has(line)) {
				last = line;
				rows.push({ label: String(line), text: source.get(line), kind: 'text' });
			}
			while (next < sums.length && sums[next][0] < offset)
				next++;
			for (; next < sums.length && sums[next][0] < end; next++)
				values = sums[next][1];
			rows.push({ label: this.lineLabel(chosen, file, line), text: visible(text), kind: 'instruction', values, hasCode: true });
		});
		return rows;
	}

	lineLabel(chosen, file, line) {
		if (line === 0)
			return '[?]';
		return file === chosen.file ? `[${line}]` : `[${shortened(visible(baseName(this.file(file).path)), 30)}:${line}]`;
	}

	sourceLines(file) {
		const lines = new Map();

		for (const [first, text] of this.file(file)?.parts || [])
			text.split('\n').forEach((content, i) => lines.set(first + i, showSource(content)));
		return lines;
	}

	/* ---- rows that matter ---- */

	/* Those with at least three quarters of the largest value, as er_print marks them. */
	markHot() {
		for (const flavor of [0, 1]) {
			const largest = Math.max(0, ...this.rows.map((row) => row.values ? row.values[flavor] : 0));

			for (const row of this.rows)
				row.isHot = row.isHot || (largest > 0 && row.values && row.values[flavor] >= 0.75 * largest);
		}
	}

	nextHot() {
		const from = this.table.current;
		const after = this.rows.findIndex((row, i) => row.isHot && i > from);

		return after >= 0 ? after : this.rows.findIndex((row) => row.isHot);
	}

	/* That of the line that a link leads to, or where the function begins. */
	firstRow(chosen, kind) {
		const line = Number(state.get('line'));

		if (kind === 'disasm')
			return 0;
		return line > 0 ? this.rows.findIndex((row) => row.kind === 'text' && row.line === line)
			: this.rows.findIndex((row) => row.kind === 'heading' && row.line === chosen.line);
	}

	goTo(number) {
		if (number >= 0)
			this.table.goTo(number, true);
	}

	goToNext() {
		this.goTo(this.nextHot());
		this.table.tell();
	}

	/* A row of a heading leads to who calls the function. */
	open(row) {
		if (row.kind === 'heading')
			state.set({ view: 'callers', focus: this.chosen().function });
	}
}

/* Tabs are as wide as in an editor, and end where they would there. */
function showSource(text) {
	let column = 0;

	return [...text].map((character) => {
		const shown = character === '\t' ? ' '.repeat(8 - column % 8) : character;

		column += shown.length;
		return character === '\t' ? shown : visible(shown);
	}).join('');
}

function baseName(path) {
	return path.slice(path.lastIndexOf('/') + 1);
}
