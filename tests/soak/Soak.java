// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Soak PROGRAM SECONDS - does one kind of work for so long, checks it, and prints "right". */
public class Soak {
	static long end;

	static boolean goesOn() {
		return System.nanoTime() < end;
	}

	static void expect(boolean isRight, String what) {
		if (!isRight)
			throw new AssertionError(what);
	}

	/** Compiles 500 classes again and again. */
	static void compile() throws Exception {
		Path tree = Files.createTempDirectory(Path.of("."), "tree");
		List<String> words = new ArrayList<>(List.of("-proc:none", "-d", tree + "/out"));
		for (int i = 0; i < 500; i++) {
			Path file = tree.resolve("C" + i + ".java");
			Files.writeString(file, "public class C" + i + " { int x = " + i + "; int f(int n) { return n < 2 ? n : f(n - 1)"
				+ " + new C" + (i + 1) % 500 + "().x; } String s() { return \"c\" + x + f(3); } }\n");
			words.add(file.toString());
		}
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		do {
			expect(compiler.run(null, null, null, words.toArray(new String[0])) == 0, "a compilation failed");
			expect(tree.resolve("out").toFile().list().length == 500, "classes are missing");
		} while (goesOn());
	}

	static int guarded;
	static final Object monitor = new Object();
	static final ReentrantLock lock = new ReentrantLock();

	/** 64 threads with monitors, locks and notifications. */
	static void lock() throws Exception {
		AtomicLong entries = new AtomicLong();
		Thread[] threads = new Thread[64];
		for (int i = 0; i < threads.length; i++) {
			boolean waits = i % 2 == 0;
			threads[i] = new Thread(() -> {
				long own = 0;
				for (; goesOn(); own += 2) {
					synchronized (monitor) {
						guarded++;
						if (waits)
							try { monitor.wait(1); } catch (InterruptedException e) { throw new AssertionError(e); }
						monitor.notify();
					}
					lock.lock();
					try {
						synchronized (monitor) {
							guarded++;
						}
					} finally {
						lock.unlock();
					}
				}
				entries.addAndGet(own);
			}, "worker " + i);
			threads[i].start();
		}
		for (Thread thread : threads)
			thread.join();
		expect((int) entries.get() == guarded, "an entry was lost");
	}

	record Link(Link next, byte[] bytes, int number) { }

	/** Makes and drops lists of objects of many sizes. */
	static void collect() {
		ArrayDeque<Link> kept = new ArrayDeque<>();
		for (int round = 0; goesOn(); round++) {
			Link list = null;
			for (int i = 0; i < 1000; i++)
				list = new Link(list, new byte[(i * 37 + round) % 3000], i);
			kept.add(list);
			if (kept.size() > 20) {
				int sum = 0;
				for (Link link = kept.remove(); link != null; link = link.next)
					sum += link.number;
				expect(sum == 499500, "a list has changed");
			}
		}
	}

	public static class Loaded implements IntUnaryOperator {
		public int applyAsInt(int n) {
			int sum = 0;
			for (int i = 0; i < n; i++)
				sum += i;
			return sum;
		}
	}

	static class Loader extends ClassLoader {
		Class<?> define(byte[] code) {
			return defineClass("Soak$Loaded", code, 0, code.length);
		}
	}

	/** Loads 10,000 classes and drops them, again and again. */
	static void load() throws Exception {
		byte[] code;
		try (InputStream file = Soak.class.getResourceAsStream("Soak$Loaded.class")) {
			code = file.readAllBytes();
		}
		do {
			for (int i = 0; i < 10000; i++) {
				IntUnaryOperator made = (IntUnaryOperator) new Loader().define(code).getConstructor().newInstance();
				expect(made.applyAsInt(100) == 4950, "a class has changed");
			}
			System.gc();
		} while (goesOn());
	}

	static int fail(int depth) {
		if (depth == 0)
			throw new IllegalStateException("at the bottom");
		try {
			return fail(depth - 1) + 1;
		} finally {
			guarded++;
		}
	}

	/** Exceptions of our own and of the machine. */
	static void fail() {
		int[] none = null;
		for (int round = 0; goesOn(); round++) {
			guarded = 0;
			try {
				fail(50);
				expect(false, "no exception");
			} catch (IllegalStateException e) {
				expect(guarded == 50 && e.getStackTrace().length > 50, "frames are missing");
			}
			try {
				expect(none[round % 3] == 0 || round < 0, "there is an element");
			} catch (NullPointerException e) {
				guarded++;
			}
			try {
				Object text = "text";
				guarded += ((Integer) text).intValue();
			} catch (ClassCastException e) {
				guarded++;
			}
			expect(guarded == 52, "an exception was lost");
		}
	}

	static int descend(int depth) {
		return descend(depth + 1) + 1;
	}

	static int count(int depth) {
		return depth == 0 ? 0 : count(depth - 1) + 1;
	}

	/** Recursion, also beyond the end of the stack. */
	static void recurse() {
		while (goesOn()) {
			expect(count(2000) == 2000, "a call was lost");
			try {
				descend(0);
				expect(false, "an endless stack");
			} catch (StackOverflowError e) {
				guarded++;
			}
		}
		expect(guarded > 0, "no overflow");
	}

	/** Threads without one of the system, if the machine has them. */
	static void virtual() throws Exception {
		Method maker;
		try {
			maker = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
		} catch (NoSuchMethodException e) {
			return;
		}
		while (goesOn()) {
			AtomicLong sum = new AtomicLong();
			ExecutorService threads = (ExecutorService) maker.invoke(null);
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < 2000; i++) {
				int number = i;
				all.add(threads.submit(() -> {
					if (number % 4 == 0)
						Thread.sleep(1);
					synchronized (monitor) {
						guarded++;
					}
					return sum.addAndGet(count(number % 100));
				}));
			}
			for (Future<?> one : all)
				one.get();
			threads.shutdown();
			expect(sum.get() == 99000, "a thread was lost");
		}
	}

	interface Shape {
		int area(int n);
	}

	/** Code that was compiled for one class meets others: it is thrown away. */
	static void change() throws Exception {
		byte[] code;
		try (InputStream file = Soak.class.getResourceAsStream("Soak$Loaded.class")) {
			code = file.readAllBytes();
		}
		while (goesOn()) {
			IntUnaryOperator[] made = new IntUnaryOperator[4];
			long sum = 0;
			for (int kind = 0; kind < made.length; kind++) {
				made[kind] = (IntUnaryOperator) new Loader().define(code).getConstructor().newInstance();
				Shape[] shapes = { n -> n, n -> 2 * n, new Shape() { public int area(int n) { return 3 * n; } } };
				for (int i = 0; i < 20000; i++)
					sum += made[i % (kind + 1)].applyAsInt(10) + shapes[i % Math.min(kind + 1, 3)].area(1);
			}
			expect(sum == 80000 * 45L + 20000 + 30000 + 39999 + 39999, "a result has changed: " + sum);
		}
	}

	public static void main(String[] words) throws Exception {
		end = System.nanoTime() + Long.parseLong(words[1]) * 1000000000L;
		switch (words[0]) {
		case "compile" -> compile();
		case "lock" -> lock();
		case "collect" -> collect();
		case "load" -> load();
		case "fail" -> fail();
		case "recurse" -> recurse();
		case "virtual" -> virtual();
		case "change" -> change();
		default -> throw new IllegalArgumentException(words[0]);
		}
		System.out.println("right");
	}
}
