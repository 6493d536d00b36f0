/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.checker.transactions.RecordedTransaction.Append;
import org.meteorshower.checker.transactions.RecordedTransaction.Read;
import org.meteorshower.checker.transactions.RecordedTransaction.Status;
import org.meteorshower.checker.transactions.RecordedTransaction.Step;

/**
 * Small histories of transactions on lists, run one after the other; some are unknown or failed, some reads are spoilt,
 * and times overlap or contradict the order in which they ran.
 */
final class RandomTransactions {
    private final SplittableRandom random;
    private final int lists;
    private final int spoilt;
    private final int apart;
    private final Map<String, List<String>> state = new HashMap<>();
    private int values;

    private RandomTransactions(long seed) {
        random = new SplittableRandom(seed);
        lists = 1 + random.nextInt(3);
        spoilt = random.nextInt(3) * 8;
        apart = 10 + random.nextInt(60);
    }

    static List<RecordedTransaction> of(long seed) {
        RandomTransactions transactions = new RandomTransactions(seed);
        List<RecordedTransaction> history = new ArrayList<>();
        for (int i = 2 + transactions.random.nextInt(7); i > 0; i--) {
            history.add(transactions.draw(history.size()));
        }
        return history;
    }

    private RecordedTransaction draw(int number) {
        Status status = random.nextInt(6) > 0 ? Status.OK : random.nextBoolean() ? Status.UNKNOWN : Status.FAIL;
        Map<String, List<String>> seen = new HashMap<>();
        state.forEach((list, contents) -> seen.put(list, new ArrayList<>(contents)));
        List<Step> steps = new ArrayList<>();
        for (int step = 1 + random.nextInt(3); step > 0; step--) {
            String list = "x" + random.nextInt(lists);
            List<String> contents = seen.computeIfAbsent(list, name -> new ArrayList<>());
            if (random.nextBoolean()) {
                contents.add(Integer.toString(++values));
                steps.add(new Append(list, Integer.toString(values)));
            } else {
                boolean unseen = status != Status.OK || random.nextInt(20) == 0;
                steps.add(new Read(list, unseen ? null : seen(contents)));
            }
        }
        if (status == Status.OK || (status == Status.UNKNOWN && random.nextBoolean())) {
            state.putAll(seen);
        }
        long start = 100 + 20L * number - random.nextInt(apart);
        return new RecordedTransaction("s" + number, steps, start, start + random.nextInt(apart), status);
    }

    private List<String> seen(List<String> contents) {
        List<String> copy = new ArrayList<>(contents);
        if (!copy.isEmpty() && random.nextInt(100) < spoilt) {
            copy.remove(random.nextInt(copy.size()));
        }
        if (copy.size() > 1 && random.nextInt(300) < spoilt) {
            Collections.swap(copy, 0, copy.size() - 1);
        }
        return copy;
    }
}
