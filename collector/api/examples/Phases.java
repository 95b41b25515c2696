/* SPDX-License-Identifier: Apache-2.0 */
import com.sun.forte.st.collector.CollectorAPI;
import java.util.Arrays;

/**
 * Phases of a program: each ends in a sample with a label, and the last one is not
 * recorded.
 *
 *	javac -cp /usr/local/lib/collector.jar Phases.java
 *	collect java -cp /usr/local/lib/collector.jar:. Phases
 *	er_print -sample_detail -functions test.1.er
 */
public class Phases {
	private static int[] readInput() {
		int[] numbers = new int[2000000];
		int state = 1;

		for (int i = 0; i < numbers.length; i++) {
			state = state * 1103515245 + 12345;
			numbers[i] = state >> 16;
		}
		return numbers;
	}

	public static void main(String[] arguments) {
		int[] numbers = readInput();
		long sum = 0;

		CollectorAPI.sample("input is read");
		Arrays.sort(numbers);
		CollectorAPI.sample("sorted");
		CollectorAPI.pause();
		for (int number : numbers)
			sum += number;
		System.out.println(sum);
	}
}
