/* What the events say, for the current choice: sums by call path and by function, callers and callees.
 *
 * Paths are nodes of a tree; node 0 is the empty path, and a node is followed by those below it. Events are cells: those
 * of a stack, which is a path in a thread, in a part of the run. */

const TOTAL = 0;	/* the row of functions that is all of them */
const SUMS_KEPT = 8;

class Model {
	constructor(head) {
		Object.assign(this, head);
		this.nodeCount = this.columns.nodeFunction.length;
		this.stackCount = this.columns.stackNode.length;
		this.columns.nodeParent = this.findParents();
		this.kinds = this.kinds.map((metrics, i) => this.makeKind(metrics, this.columns[`part.${i}`], this.columns[`stack.${i}`]));
		this.duration = 0;
		for (const { part } of this.kinds)
			this.duration = Math.max(this.duration, part.length === 0 ? 0 : (part[part.length - 1] + 1) * this.timeUnit);
		for (const experiment of this.experiments)
			this.duration = Math.max(this.duration, experiment.start + experiment.end);
		this.kept = new Map();
		this.linkNodes();
	}

	/* Each node tells how many levels up from the one before it is. */
	findParents() {
		const { nodeUp } = this.columns;
		const parents = new Uint32Array(this.nodeCount);

		for (let node = 1; node < this.nodeCount; node++) {
			let parent = node - 1;

			for (let up = nodeUp[node - 1]; up > 0; up--)
				parent = parents[parent];
			parents[node] = parent;
		}
		return parents;
	}

	/* In each part, stacks begin anew. */
	makeKind(metrics, part, difference) {
		const stack = new Uint32Array(difference.length);

		for (let i = 0; i < stack.length; i++)
			stack[i] = difference[i] + (i > 0 && part[i] === part[i - 1] ? stack[i - 1] : 0);
		return { metrics, part, stack };
	}

	/* Children are linked in the order of their numbers. */
	linkNodes() {
		const { nodeParent, nodeFunction } = this.columns;

		this.firstChild = new Uint32Array(this.nodeCount);
		this.nextChild = new Uint32Array(this.nodeCount);
		for (let node = this.nodeCount - 1; node > 0; node--) {
			this.nextChild[node] = this.firstChild[nodeParent[node]];
			this.firstChild[nodeParent[node]] = node;
		}
		this.findOutermost(nodeParent, nodeFunction);
	}

	/* A function counts once for each path, however often it is on it. */
	findOutermost(nodeParent, nodeFunction) {
		const depths = new Uint32Array(this.functions.length);
		let node = this.firstChild[0];

		this.isOutermost = new Uint8Array(this.nodeCount);
		while (node) {
			this.isOutermost[node] = depths[nodeFunction[node]]++ === 0 ? 1 : 0;
			if (this.firstChild[node]) {
				node = this.firstChild[node];
				continue;
			}
			while (node) {
				depths[nodeFunction[node]]--;
				if (this.nextChild[node]) {
					node = this.nextChild[node];
					break;
				}
				node = nodeParent[node];
			}
		}
	}

	metric(name) {
		return this.metrics.find((metric) => metric.name === name);
	}

	/* The kind of data that a metric counts, and its value in each cell, of which each is so many units. */
	cells(metric) {
		const kind = this.kinds.find(({ metrics }) => metrics.includes(metric.name));
		const column = `value.${metric.name}`;

		return { kind, values: this.columns[column] || [], unit: this.units[column] };
	}

	/* The numbers of the cells in a range of time, or of all. */
	cellsIn({ part }, range) {
		return range ? range.map((time) => lowerBound(part, Math.ceil(time / this.timeUnit))) : [0, part.length];
	}

	/* Add up values of a metric by what a stack has in a column, such as its node. */
	addUp({ metric, range, threads }, column, count) {
		const sums = new Float64Array(count);
		const { kind, values, unit } = this.cells(metric);

		if (values.length === 0)
			return sums;
		const { stack } = kind;
		const [first, last] = this.cellsIn(kind, range);
		const { stackThread } = this.columns;

		if (threads) {
			const isChosen = Uint8Array.from(this.threads, (thread, i) => threads.has(i) ? 1 : 0);

			for (let i = first; i < last; i++)
				if (isChosen[stackThread[stack[i]]])
					sums[column[stack[i]]] += values[i];
		} else {
			for (let i = first; i < last; i++)
				sums[column[stack[i]]] += values[i];
		}
		if (unit !== 1)
			for (let i = 0; i < count; i++)
				sums[i] *= unit;
		return sums;
	}

	/* Sums of a metric for the choice { metric, range, threads }, where range and threads may be null. */
	sums({ metric, range, threads }) {
		const key = JSON.stringify([metric.name, range, threads && [...threads]]);

		if (!this.kept.has(key)) {
			if (this.kept.size === SUMS_KEPT)
				this.kept.delete(this.kept.keys().next().value);
			this.kept.set(key, new Sums(this, this.addUp({ metric, range, threads }, this.columns.stackNode, this.nodeCount)));
		}
		return this.kept.get(key);
	}

	/* The value of all that is chosen. */
	total(choice) {
		return this.byThread(choice).reduce((all, value) => all + value, 0);
	}

	byThread(choice) {
		return this.addUp(choice, this.columns.stackThread, this.threads.length);
	}

	/* What each process had of memory: the numbers of its levels are those from first to end, by its experiment. */
	heaps() {
		if (!this.foundHeaps) {
			const { levelExperiment, levelMost } = this.columns;

			this.foundHeaps = new Map();
			levelExperiment.forEach((experiment, i) => {
				const heap = this.foundHeaps.get(experiment) || { experiment, first: i, peak: 0 };

				this.foundHeaps.set(experiment, { ...heap, end: i + 1, peak: Math.max(heap.peak, levelMost[i]) });
			});
		}
		return this.foundHeaps;
	}

	/* The value of each subject: of a lock, a file or a data object. 0 is none. */
	bySubject(choice) {
		const { stackSubject } = this.columns;

		this.subjectCount ||= stackSubject.reduce((most, subject) => Math.max(most, subject), 0) + 1;
		return this.addUp(choice, stackSubject, this.subjectCount);
	}

	/* The numbers of the cells of each thread: those of thread i are order[starts[i]] and so on. Found once. */
	cellsByThread(kind) {
		if (!kind.byThread) {
			const { stackThread } = this.columns;
			const starts = new Uint32Array(this.threads.length + 1);
			const order = new Uint32Array(kind.stack.length);

			for (const stack of kind.stack)
				starts[stackThread[stack] + 1]++;
			for (let i = 1; i < starts.length; i++)
				starts[i] += starts[i - 1];
			const next = starts.slice();

			for (let i = 0; i < order.length; i++)
				order[next[stackThread[kind.stack[i]]]++] = i;
			kind.byThread = { starts, order };
		}
		return kind.byThread;
	}
}

/* The index of the first element that is not below a value. */
function lowerBound(sorted, value) {
	let low = 0, high = sorted.length;

	while (low < high) {
		const middle = (low + high) >>> 1;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

class Sums {
	constructor(model, self) {
		const { nodeParent } = model.columns;

		this.model = model;
		this.self = self;
		this.total = Float64Array.from(self);
		for (let node = model.nodeCount - 1; node > 0; node--)
			this.total[nodeParent[node]] += this.total[node];
		this.all = this.total[0];
	}

	/* Of each function: exclusive, and inclusive. */
	functions() {
		if (!this.byFunction) {
			const { nodeFunction } = this.model.columns;
			const exclusive = new Float64Array(this.model.functions.length);
			const inclusive = new Float64Array(this.model.functions.length);

			for (let node = 1; node < this.model.nodeCount; node++) {
				exclusive[nodeFunction[node]] += this.self[node];
				if (this.model.isOutermost[node])
					inclusive[nodeFunction[node]] += this.total[node];
			}
			exclusive[TOTAL] = inclusive[TOTAL] = this.all;
			this.byFunction = { exclusive, inclusive };
		}
		return this.byFunction;
	}

	/* The function with the most of the metric, or TOTAL. */
	hottest() {
		const { exclusive } = this.functions();
		let most = TOTAL;

		for (let i = 1; i < exclusive.length; i++)
			if (exclusive[i] > (most === TOTAL ? 0 : exclusive[most]))
				most = i;
		return most;
	}

	/* What calls a function, and what it calls: an event counts at the occurrence nearest to the leaf. */
	neighbours(wanted) {
		const { nodeParent, nodeFunction } = this.model.columns;
		const carried = Float64Array.from(this.self);
		const callers = new Map(), callees = new Map();
		let attributed = 0;

		for (let node = this.model.nodeCount - 1; node > 0; node--) {
			const parent = nodeParent[node];

			if (carried[node] === 0)
				continue;
			if (nodeFunction[node] === wanted) {
				add(callers, parent === 0 ? TOTAL : nodeFunction[parent], carried[node]);
				attributed += carried[node];
				continue;
			}
			if (parent !== 0 && nodeFunction[parent] === wanted)
				add(callees, nodeFunction[node], carried[node]);
			carried[parent] += carried[node];
		}
		return { callers: bySize(callers), callees: bySize(callees), attributed };
	}
}

function add(sums, key, value) {
	sums.set(key, (sums.get(key) || 0) + value);
}

function bySize(sums) {
	return [...sums].sort((a, b) => b[1] - a[1]).map(([number, value]) => ({ number, value }));
}
