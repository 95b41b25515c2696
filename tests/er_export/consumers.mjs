#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// consumers.mjs FORMAT FILE METRIC - read what er_export --format wrote with a package of others, and print a line for
// each function: its name, and its exclusive and inclusive value. Times are milliseconds. FORMAT alone: print which package
// is missing, or nothing. Packages are looked for in $NODE_PATH and where npm install -g puts them.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const PACKAGES = {
	pprof: 'pprof-format', chrome: '@paulirish/trace_engine', firefox: '@firefox-devtools/profiler-cli',
	csv: '@duckdb/node-api', json: '@duckdb/node-api',
};
const roots = [...(process.env.NODE_PATH || '').split(':').filter(Boolean), '/usr/local/lib/node_modules', '/usr/lib/node_modules'];

class Sums {
	constructor() {
		this.functions = new Map();
	}

	of(name) {
		if (!this.functions.has(name))
			this.functions.set(name, { exclusive: 0, inclusive: 0 });
		return this.functions.get(name);
	}

	/* Names, leaf first. */
	add(stack, value) {
		if (stack.length > 0)
			this.of(stack[0]).exclusive += value;
		for (const name of new Set(stack))
			this.of(name).inclusive += value;
	}

	show() {
		for (const [name, { exclusive, inclusive }] of [...this.functions].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0))
			if (exclusive !== 0 || inclusive !== 0)
				console.log(`${name}\t${exclusive.toFixed(3)}\t${inclusive.toFixed(3)}`);
	}
}

/* The process that has a profile says half a second after its start that it failed, even if it only needs longer. */
function load(start, ask) {
	try {
		start();
	} catch (error) {
		for (let tries = 60; ; tries--) {
			try {
				ask();
				return;
			} catch {
				if (tries === 0)
					throw error;
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
			}
		}
	}
}

/* Add up by function in DuckDB, with an expression for the names on a stack, the leaf first; some events have no stack. */
async function query(root, file, metric, names) {
	const { DuckDBInstance } = await import(`${root}/lib/index.js`);
	const connection = await (await DuckDBInstance.create(':memory:')).connect();
	const rows = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson();
	const from = `(SELECT ${metric}_ns::DOUBLE / 1e6 AS ms, ${names} AS names FROM '${file}')`;
	const sums = new Sums();

	for (const [name, ms] of await rows(`SELECT names[1], sum(ms) FROM ${from} WHERE len(names) > 0 GROUP BY ALL`))
		sums.of(name).exclusive = ms;
	for (const [name, ms] of await rows(`SELECT name, sum(ms) FROM (SELECT unnest(list_distinct(names)) AS name, ms FROM ${from})
		GROUP BY ALL`))
		sums.of(name).inclusive = ms;
	return sums;
}

const READERS = {
	csv: (root, file, metric) => query(root, file, metric, "list_reverse(string_split(stack, ';'))"),
	json: (root, file, metric) => query(root, file, metric, 'list_transform(stack, lambda frame: frame.function)'),

	async pprof(root, file, metric) {
		const { Profile } = await import(`${root}/dist/esm/index.js`);
		const profile = Profile.decode(gunzipSync(readFileSync(file)));
		const text = (number) => profile.stringTable.strings[Number(number)];
		const functions = new Map(profile.function.map((one) => [one.id, text(one.name)]));
		const locations = new Map(profile.location.map((one) => [one.id, one.line.map((line) => functions.get(line.functionId))]));
		const type = profile.sampleType.findIndex((one) => text(one.type) === metric);
		const scale = text(profile.sampleType[type].unit) === 'nanoseconds' ? 1e6 : 1;
		const sums = new Sums();

		for (const { locationId, value } of profile.sample)
			sums.add(locationId.flatMap((id) => locations.get(id)), Number(value[type]) / scale);
		return sums;
	},

	/* What the performance panel of the developers' tools makes of it. */
	async chrome(root, file) {
		globalThis.DOMRect = class {};
		const { TraceModel } = await import(`${root}/models/trace/trace.js`);
		const model = TraceModel.Model.createWithAllHandlers();

		await model.parse(JSON.parse(readFileSync(file)).traceEvents);
		const sums = new Sums();

		for (const threads of model.parsedTrace().data.Samples.profilesInProcess.values())
			for (const { parsedProfile } of threads.values())
				for (let i = 0; i + 1 < parsedProfile.timestamps.length; i++) {
					const stack = [];

					for (let node = parsedProfile.nodeByIndex(i); node?.parent; node = node.parent)
						stack.push(node.functionName);
					if (stack[0] !== '(idle)')
						sums.add(stack, parsedProfile.timestamps[i + 1] - parsedProfile.timestamps[i]);
				}
		return sums;
	},

	async firefox(root, file) {
		const run = (...words) => execFileSync(process.execPath, [`${root}/dist/profiler-cli.js`, ...words],
			{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
		const ask = (...words) => JSON.parse(run(...words, '--json', '--session', 'test'));
		const sums = new Sums();

		load(() => run('load', file, '--session', 'test'), () => ask('thread', 'list'));
		try {
			for (const { threadHandle } of ask('thread', 'list').threads)
				for (const row of ask('thread', 'functions', '--include-idle', '--thread', threadHandle).functions) {
					sums.of(row.name).exclusive += row.selfSamples;
					sums.of(row.name).inclusive += row.totalSamples;
				}
		} finally {
			run('stop', 'test');
		}
		return sums;
	},
};

const [format, file, metric] = process.argv.slice(2);
const root = roots.map((place) => `${place}/${PACKAGES[format]}`).find((place) => existsSync(place));

if (!file)
	console.log(root ? '' : PACKAGES[format]);
else
	(await READERS[format](root, file, metric)).show();
