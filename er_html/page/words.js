/* The words of the page, in each language. */

const WORDS = {
	en: {
		language: 'English',
		summary: 'Summary', lanes: 'Time line', flame: 'Flame graph', functions: 'Functions',
		callers: 'Callers and callees', tree: 'Call tree', experiments: 'Experiments',
		code: 'Code', source: 'source', disasm: 'instructions', function: 'Function', line: 'Line', text: 'Text',
		nextHot: 'Next hot line',
		codeHelp: 'Arrow keys move, N goes to the next line with much of the metric. Enter on a function shows its callers.',
		noSourceKnown: 'Its source is not known: compile with -g.', noText: 'The text of the source was not found.',
		sourceChanged: 'The source was changed after it was compiled.', sourceNewer: 'The source is newer than the load object.',
		metric: 'Metric', search: 'Search', searchHint: 'a part of a name, or /an expression/',
		theme: 'Theme', themeAuto: 'as the system', themeLight: 'light', themeDark: 'dark',
		choice: 'Choice', wholeRun: 'the whole run', clear: 'Clear',
		range: (from, to) => `${from} to ${to}`,
		threadsChosen: (count) => count === 1 ? '1 thread' : `${count} threads`,
		onCpu: 'on a processor', inWait: 'waiting', inIo: 'in I/O', inUse: 'memory in use',
		heapOf: (experiment, peak) => `${experiment} memory, at most ${peak}`,
		exclusive: 'Exclusive', inclusive: 'Inclusive', attributed: 'Attributed', name: 'Name',
		share: '%', object: 'Load object',
		total: '<Total>', inverted: 'from the leaves', zoomOut: 'Show all', nothing: 'There are no events in this choice.',
		colourBy: 'Colour by', colourFunction: 'function', colourObject: 'load object',
		matches: (share) => `found: ${share} %`,
		flameHelp: 'Arrow keys move, Enter zooms, Backspace zooms out, C shows callers and callees.',
		lanesHelp: 'Drag to choose a range; the arrow keys move it, + and - make it narrower and wider, Escape clears it.',
		thread: 'Thread', experiment: 'Experiment', command: 'Command',
		host: 'Host', system: 'System', started: 'Started', duration: 'Duration', notes: 'Notes',
		warnings: 'Warnings', problems: 'What could not be read',
		timeWent: 'Where the time went', whatWaited: 'What waited', whatGrew: 'What grew',
		most: (share, metric, name) => `${share} % of ${metric} is in ${name}.`,
		callersOf: (name) => `Callers of ${name}`, calleesOf: (name) => `Callees of ${name}`,
		unsupported: 'This browser cannot open the page: it needs DecompressionStream (Firefox 113, Chromium 80, Safari 16.4, or later).',
		rows: (count) => `${count} rows`,
		keys: 'Keys: 1 to 9 choose a view, / searches, Escape clears, ? shows this.',
	},
	ja: {
		language: '日本語',
		summary: '概要', lanes: 'タイムライン', flame: 'フレームグラフ', functions: '関数',
		callers: '呼び出し元と呼び出し先', tree: '呼び出しツリー', experiments: '実験',
		code: 'コード', source: 'ソース', disasm: '命令', function: '関数', line: '行', text: 'テキスト',
		nextHot: '次の多い行',
		codeHelp: '矢印キーで移動、N でメトリックの多い次の行に移ります。関数の行で Enter を押すと呼び出し元を表示します。',
		noSourceKnown: 'ソースが不明です。-g を付けてコンパイルしてください。', noText: 'ソースのテキストが見つかりません。',
		sourceChanged: 'ソースはコンパイル後に変更されています。', sourceNewer: 'ソースはロードオブジェクトより新しいものです。',
		metric: 'メトリック', search: '検索', searchHint: '名前の一部、または /正規表現/',
		theme: '配色', themeAuto: 'システムに合わせる', themeLight: '明るい', themeDark: '暗い',
		choice: '選択', wholeRun: '実行全体', clear: '解除',
		range: (from, to) => `${from} から ${to}`,
		threadsChosen: (count) => `スレッド ${count} 個`,
		onCpu: 'プロセッサー上', inWait: '待機中', inIo: 'I/O 中', inUse: '使用中のメモリー',
		heapOf: (experiment, peak) => `${experiment} メモリー 最大 ${peak}`,
		exclusive: '排他的', inclusive: '包括的', attributed: '属性', name: '名前',
		share: '%', object: 'ロードオブジェクト',
		total: '<合計>', inverted: '末端から', zoomOut: '全体を表示', nothing: 'この選択にはイベントがありません。',
		colourBy: '色分け', colourFunction: '関数', colourObject: 'ロードオブジェクト',
		matches: (share) => `一致: ${share} %`,
		flameHelp: '矢印キーで移動、Enter で拡大、Backspace で戻り、C で呼び出し元と呼び出し先を表示します。',
		lanesHelp: 'ドラッグで範囲を選択。矢印キーで移動、+ と - で範囲を狭く・広く、Escape で解除します。',
		thread: 'スレッド', experiment: '実験', command: 'コマンド',
		host: 'ホスト', system: 'システム', started: '開始', duration: '所要時間', notes: 'メモ',
		warnings: '警告', problems: '読み取れなかったもの',
		timeWent: '時間を使った場所', whatWaited: '待っていたもの', whatGrew: '増えたもの',
		most: (share, metric, name) => `${metric} の ${share} % は ${name} です。`,
		callersOf: (name) => `${name} の呼び出し元`, calleesOf: (name) => `${name} の呼び出し先`,
		unsupported: 'このブラウザーではページを開けません。DecompressionStream が必要です (Firefox 113、Chromium 80、Safari 16.4 以降)。',
		rows: (count) => `${count} 行`,
		keys: 'キー: 1 から 9 で表示を選択、/ で検索、Escape で解除、? でこの説明を表示します。',
	},
};

let words = WORDS.en;

function useLanguage(wanted) {
	const language = wanted || navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in WORDS) || 'en';

	words = WORDS[language] || WORDS.en;
	document.documentElement.lang = words === WORDS.ja ? 'ja' : 'en';
}
