/* SPDX-License-Identifier: Apache-2.0 */
package com.sun.forte.st.collector;

/**
 * Controls the recording of this program by collect. In a program that is not recorded as
 * Java all methods do nothing. See libcollector(3).
 */
public final class CollectorAPI {
	/* The agent has the native methods; the first call finds out whether it is there. */
	private static volatile boolean isAbsent;

	private CollectorAPI() {
	}

	/** Take a sample with this label. */
	public static void sample(String name) {
		try {
			if (!isAbsent)
				_sample(name);
		} catch (UnsatisfiedLinkError error) {
			isAbsent = true;
		}
	}

	/** Pause the recording of all threads. */
	public static void pause() {
		try {
			if (!isAbsent)
				_pause();
		} catch (UnsatisfiedLinkError error) {
			isAbsent = true;
		}
	}

	/** Go on after pause(). */
	public static void resume() {
		try {
			if (!isAbsent)
				_resume();
		} catch (UnsatisfiedLinkError error) {
			isAbsent = true;
		}
	}

	/** Pause the recording of one platform thread. */
	public static void threadPause(Thread thread) {
		try {
			if (!isAbsent)
				_threadPause(thread);
		} catch (UnsatisfiedLinkError error) {
			isAbsent = true;
		}
	}

	/** Go on after threadPause(). */
	public static void threadResume(Thread thread) {
		try {
			if (!isAbsent)
				_threadResume(thread);
		} catch (UnsatisfiedLinkError error) {
			isAbsent = true;
		}
	}

	/** End the recording. */
	public static void terminate() {
		try {
			if (!isAbsent)
				_terminate();
		} catch (UnsatisfiedLinkError error) {
			isAbsent = true;
		}
	}

	private static native void _sample(String name);
	private static native void _pause();
	private static native void _resume();
	private static native void _threadPause(Thread thread);
	private static native void _threadResume(Thread thread);
	private static native void _terminate();
}
