/* What the events say, for the current choice: sums by call path and by function, callers and callees.
 *
 * Paths are nodes of a tree; node 0 is the empty path, and parents precede their children. */

const TOTAL = 0;	/* the row of functions that is all of them */

class Model {
	constructor(head) {
		Object.assign(this, head);
		this.nodeCount = this.columns.nodeParent.length;
		this.stackCount = this.columns.stackNode.length;
		this.duration = this.columns.eventTime.length === 0 ? 0 :
			this.columns.eventTime[this.columns.eventTime.length - 1];
		for (const experiment of this.experiments)
			this.duration = Math.max(this.duration, experiment.end);
		this.isTime = this.metric(this.timedMetric)?.unit === 'time';
		this.linkNodes();
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

	/* The numbers of the events from a time to another. */
	eventsIn([from, to]) {
		return [lowerBound(this.columns.eventTime, from), lowerBound(this.columns.eventTime, to)];
	}

	/* Sums of a metric for the choice { metric, range, threads }, where range and threads may be null. */
	sums({ metric, range, threads }) {
		const key = JSON.stringify([metric.name, range, threads && [...threads]]);

		if (this.lastKey !== key) {
			this.lastKey = key;
			this.lastSums = new Sums(this, this.selfValues(metric, range, threads));
		}
		return this.lastSums;
	}

	selfValues(metric, range, threads) {
		const self = new Float64Array(this.nodeCount);
		const { stackNode, stackThread } = this.columns;
		const values = range ? this.stackValuesIn(metric, range) : this.columns[`value.${metric.name}`];

		for (let i = 0; i < values.length; i++)
			if (values[i] !== 0 && (!threads || threads.has(stackThread[i])))
				self[stackNode[i]] += values[i];
		return self;
	}

	stackValuesIn(metric, range) {
		const { eventStack, eventValue } = this.columns;
		const values = new Float64Array(this.stackCount);
		const [first, last] = this.eventsIn(range);

		if (metric.name === this.timedMetric)
			for (let i = first; i < last; i++)
				values[eventStack[i]] += eventValue[i];
		return values;
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
