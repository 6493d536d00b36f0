/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What the pages on transactions of Cassandra 6 show, with the results that they state: each example in its own words.
 */
class DocumentedExamplesTest {
    private static final UUID A = new UUID(1, 1);
    private static final UUID B = new UUID(2, 2);
    private static final UUID C = new UUID(3, 3);

    private final Shop shop = new Shop(
            "CREATE TABLE users (id uuid PRIMARY KEY, email text, balance decimal, status text, credit_limit int,"
                    + " suspended_at timestamp, created_at timestamp, tier text)",
            "CREATE TABLE accounts (id uuid PRIMARY KEY, balance int, max_balance int)",
            "CREATE TABLE limits (type text PRIMARY KEY, max_balance int)",
            "CREATE TABLE account_types (user_id uuid PRIMARY KEY, account_type text)",
            "CREATE TABLE orders (order_id uuid PRIMARY KEY, user_id uuid, total decimal, status text, status_code int,"
                    + " status_name text, customer_id uuid, total_amount decimal, created_at timestamp, updated_at timestamp)",
            "CREATE TABLE order_status_history (order_id uuid, transition_time timestamp, from_status int, to_status int,"
                    + " actor_id uuid, PRIMARY KEY (order_id, transition_time))",
            "CREATE TABLE inventory (product_id uuid PRIMARY KEY, quantity int)",
            "CREATE TABLE audit_log (id uuid PRIMARY KEY, user_id uuid, action text, timestamp timestamp)",
            "CREATE TABLE transfers (id uuid PRIMARY KEY, from_account uuid, to_account uuid, amount int,"
                    + " timestamp timestamp)",
            "CREATE TABLE email_index (email text PRIMARY KEY, user_id uuid)",
            "CREATE TABLE username_index (username text PRIMARY KEY, user_id uuid)",
            "CREATE TABLE people (user_id uuid PRIMARY KEY, username text, email text, display_name text,"
                    + " created_at timestamp)",
            "CREATE TABLE page_views (page_id uuid PRIMARY KEY, views bigint)",
            "CREATE TABLE posts (post_id uuid PRIMARY KEY, author_id uuid, title text, content text, status text,"
                    + " created_at timestamp)",
            "CREATE TABLE author_stats (author_id uuid PRIMARY KEY, draft_count bigint, published_count bigint,"
                    + " archived_count bigint, last_post_at timestamp)",
            "CREATE TABLE projects (project_id uuid PRIMARY KEY, name text, owner_id uuid, status text, task_count bigint,"
                    + " created_at timestamp)",
            "CREATE TABLE tasks (task_id uuid PRIMARY KEY, project_id uuid, title text, status text, assignee_id uuid,"
                    + " created_at timestamp)",
            "CREATE TABLE tasks_by_project (project_id uuid, task_id uuid, title text, status text,"
                    + " PRIMARY KEY (project_id, task_id))",
            "CREATE TABLE user_sessions (user_id uuid, session_id uuid, status text, PRIMARY KEY (user_id, session_id))",
            "CREATE TABLE transaction_log (id uuid PRIMARY KEY, user_id int, amount int, timestamp timestamp)",
            "CREATE TABLE wallets (user_id int PRIMARY KEY, balance int)",
            "CREATE TABLE cyclist_accounts (account_holder text PRIMARY KEY, account_balance int, account_type text)",
            "CREATE TABLE cyclist_accounts2 (account_holder text, account_balance int, account_type text,"
                    + " PRIMARY KEY (account_holder, account_type))");

    private List<String> select(String columns, String where, Object... values) {
        return shop.run("BEGIN TRANSACTION SELECT " + columns + " FROM " + where + "; COMMIT TRANSACTION", values);
    }

    private void user(UUID id, String balance, String status) {
        shop.plain(
                "INSERT INTO users (id, email, balance, status, credit_limit) VALUES (?, 'a@b.c', ?, ?, 200)",
                id,
                new BigDecimal(balance),
                status);
    }

    private void account(UUID id, int balance) {
        shop.plain("INSERT INTO accounts (id, balance) VALUES (?, ?)", id, balance);
    }

    @Test
    void plainStatementsAreTransactions() {
        user(A, "100.00", "active");
        assertThat(shop.plain("SELECT id, email, balance FROM users WHERE id = ?", A))
                .containsExactly(A + ", 'a@b.c', 100.00");

        shop.plain("UPDATE users SET balance = 50.00 WHERE id = ?", A);
        assertThat(select("balance", "users WHERE id = ?", A)).containsExactly("50.00");

        shop.plain("DELETE FROM users WHERE id = ?", A);
        assertThat(select("balance", "users WHERE id = ?", A)).isEmpty();
    }

    @Test
    void letBindsRowsOfSeveralTablesAndIfAsksBoth() {
        user(A, "150", "active");
        shop.plain("INSERT INTO account_types (user_id, account_type) VALUES (?, 'premium')", A);
        String text = """
                BEGIN TRANSACTION
                  LET user_data = (SELECT id, balance FROM users WHERE id = ?);
                  LET account_data = (SELECT account_type FROM account_types WHERE user_id = ?);

                  IF user_data.balance > 100 AND account_data.account_type = 'premium' THEN
                    UPDATE users SET balance = balance - 50 WHERE id = ?;
                  END IF
                COMMIT TRANSACTION""";

        assertThat(shop.run(text, A, A, A)).isEmpty();
        assertThat(select("balance", "users WHERE id = ?", A)).containsExactly("100");
        shop.run(text, A, A, A);
        assertThat(select("balance", "users WHERE id = ?", A)).containsExactly("100");
    }

    @Test
    void rowReferencesAreReturned() {
        user(A, "150", "active");
        String text = """
                BEGIN TRANSACTION
                  LET current_user = (SELECT balance, status FROM users WHERE id = ?);

                  -- Access fields with dot notation
                  SELECT current_user.balance, current_user.status;
                COMMIT TRANSACTION""";

        assertThat(shop.run(text, A)).containsExactly("150, 'active'");
        assertThat(shop.run(text, B)).containsExactly("null, null");
        assertThat(Shop.namesOf(shop.plan(text))).containsExactly("current_user.balance", "current_user.status");
    }

    @Test
    void parametersMayStandForComputedValues() {
        user(A, "150", "active");
        String text = """
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance FROM users WHERE id = ?);

                  IF user_data.balance >= ? THEN  -- Pass order_total as parameter
                    UPDATE users SET balance = balance - ? WHERE id = ?;  -- Pass order_total
                  END IF
                COMMIT TRANSACTION""";

        shop.run(text, A, new BigDecimal("70.5"), new BigDecimal("70.5"), A);
        assertThat(select("balance", "users WHERE id = ?", A)).containsExactly("79.5");
        shop.run(text, A, new BigDecimal("79.6"), new BigDecimal("79.6"), A);
        assertThat(select("balance", "users WHERE id = ?", A)).containsExactly("79.5");
    }

    @Test
    void aSelectBeforeAWriteShowsWhatWasThereBefore() {
        user(A, "150", "active");
        String text = """
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance, status FROM users WHERE id = ?);

                  -- Return row reference values (must come before UPDATE)
                  SELECT user_data.balance, user_data.status;

                  UPDATE users SET balance = balance - 50 WHERE id = ?;
                COMMIT TRANSACTION""";

        assertThat(shop.run(text, A, A)).containsExactly("150, 'active'");
        assertThat(shop.run(text, A, A)).containsExactly("100, 'active'");
    }

    @Test
    void aSelectOfARowComesWithIt() {
        user(A, "60", "active");
        String text = """
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance FROM users WHERE id = ?);

                  -- Return data directly from table (must come before UPDATE)
                  SELECT balance, status, email FROM users WHERE id = ?;

                  IF user_data.balance >= 50 THEN
                    UPDATE users SET balance = balance - 50 WHERE id = ?;
                  END IF
                COMMIT TRANSACTION""";

        assertThat(shop.run(text, A, A, A)).containsExactly("60, 'active', 'a@b.c'");
        assertThat(shop.run(text, A, A, A)).containsExactly("10, 'active', 'a@b.c'");
        assertThat(shop.run(text, A, A, A)).containsExactly("10, 'active', 'a@b.c'");
        assertThat(shop.run(text, B, B, B)).isEmpty();
    }

    @Test
    void moneyIsTransferredBetweenTwoRows() {
        account(A, 150);
        account(B, 0);
        String text = """
                BEGIN TRANSACTION
                  LET sender = (SELECT balance FROM accounts WHERE id = ?);

                  IF sender.balance >= 100 THEN
                    UPDATE accounts SET balance = balance - 100 WHERE id = ?;
                    UPDATE accounts SET balance = balance + 100 WHERE id = ?;
                  END IF
                COMMIT TRANSACTION""";

        shop.run(text, A, A, B);
        shop.run(text, A, A, B);
        assertThat(select("balance", "accounts WHERE id = ?", A)).containsExactly("50");
        assertThat(select("balance", "accounts WHERE id = ?", B)).containsExactly("100");
    }

    @Test
    void conditionsAskManyThingsAtOnce() {
        user(A, "150", "active");
        String text = """
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance, status, credit_limit FROM users WHERE id = ?);
                  IF user_data.balance >= 100 AND user_data.status = 'active'
                     AND user_data.credit_limit > 150 THEN
                    UPDATE users SET status = 'checked' WHERE id = ?;
                  END IF
                COMMIT TRANSACTION""";

        shop.run(text, A, A);
        assertThat(select("status", "users WHERE id = ?", A)).containsExactly("'checked'");
        String nulls = """
                BEGIN TRANSACTION
                  LET account_info = (SELECT balance FROM accounts WHERE id = ?);
                  IF account_info IS NOT NULL AND account_info.balance > 0 THEN
                    UPDATE accounts SET balance = 0 WHERE id = ?;
                  END IF
                COMMIT TRANSACTION""";
        shop.run(nulls, A, A);
        assertThat(select("balance", "accounts WHERE id = ?", A)).isEmpty();
        account(A, 7);
        shop.run(nulls, A, A);
        assertThat(select("balance", "accounts WHERE id = ?", A)).containsExactly("0");
    }

    /** Of releases after 6.0-alpha2. */
    @Test
    void branchesFollowEachOtherAndStatementsFollowThem() {
        shop.plain("INSERT INTO limits (type, max_balance) VALUES ('branches', 0)");
        String text = """
                BEGIN TRANSACTION
                  LET account_info = (SELECT balance FROM accounts WHERE id = ?);
                  IF account_info IS NOT NULL AND account_info.balance > 0 THEN
                    UPDATE accounts SET max_balance = 1 WHERE id = ?;
                  ELSE IF account_info.balance < 0 THEN
                    UPDATE accounts SET max_balance = 2 WHERE id = ?;
                  ELSE
                    UPDATE accounts SET max_balance = 3 WHERE id = ?;
                  END IF
                  UPDATE limits SET max_balance = max_balance + 1 WHERE type = 'branches';
                COMMIT TRANSACTION""";
        account(A, 5);
        account(B, -5);
        account(C, 0);
        for (UUID id : List.of(A, B, C)) {
            shop.run(text, id, id, id, id);
        }
        assertThat(select("max_balance", "accounts WHERE id = ?", A)).containsExactly("1");
        assertThat(select("max_balance", "accounts WHERE id = ?", B)).containsExactly("2");
        assertThat(select("max_balance", "accounts WHERE id = ?", C)).containsExactly("3");
        assertThat(select("max_balance", "limits WHERE type = 'branches'")).containsExactly("3");
    }

    @Test
    void whatAnUpdateRefersToIsReadByItself() {
        user(A, "1", "active");
        shop.run(
                "BEGIN TRANSACTION\n UPDATE users SET balance = balance + ? WHERE id = ?;\nCOMMIT TRANSACTION",
                new BigDecimal("2"),
                A);
        assertThat(select("balance", "users WHERE id = ?", A)).containsExactly("3");

        shop.plain("INSERT INTO page_views (page_id, views) VALUES (?, 41)", A);
        shop.run(
                "BEGIN TRANSACTION\n UPDATE page_views SET views = views + 1 WHERE page_id = ?;\nCOMMIT TRANSACTION",
                A);
        assertThat(select("views", "page_views WHERE page_id = ?", A)).containsExactly("42");
    }

    @Test
    void aNameIsBoundOnce() {
        assertThatThrownBy(() -> shop.plan("""
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance FROM accounts WHERE id = ?);
                  LET user_data = (SELECT balance FROM accounts WHERE id = ?);
                  SELECT user_data.balance;
                COMMIT TRANSACTION""")).hasMessageContaining("use unique names");
    }

    @Test
    void aTransferIsRecordedWithItsTime() {
        account(A, 100);
        account(B, 0);
        String text = """
                BEGIN TRANSACTION
                  LET sender_account = (SELECT balance FROM accounts WHERE id = ?);

                  IF sender_account.balance >= ? THEN
                    UPDATE accounts SET balance = balance - ? WHERE id = ?;
                    UPDATE accounts SET balance = balance + ? WHERE id = ?;

                    INSERT INTO transfers (id, from_account, to_account, amount, timestamp)
                    VALUES (?, ?, ?, ?, toTimestamp(now()));
                  END IF
                COMMIT TRANSACTION""";

        shop.run(text, A, 30, 30, A, 30, B, C, A, B, 30);
        assertThat(select("from_account, to_account, amount", "transfers WHERE id = ?", C))
                .containsExactly(A + ", " + B + ", 30");
        assertThat(select("timestamp", "transfers WHERE id = ?", C).get(0)).startsWith("'20");
        assertThat(select("balance", "accounts WHERE id IN (?, ?)", A, B)).containsExactlyInAnyOrder("70", "30");
    }

    @Test
    void aRowIsInsertedOnceOnly() {
        String text = """
                BEGIN TRANSACTION
                  LET existing_user = (SELECT user_id FROM email_index WHERE email = ? LIMIT 1);

                  IF existing_user IS NULL THEN
                    INSERT INTO people (user_id, email, created_at, display_name)
                    VALUES (?, ?, toTimestamp(now()), 'active');

                    INSERT INTO email_index (email, user_id) VALUES (?, ?);

                    INSERT INTO username_index (user_id, username)
                    VALUES (?, ?);
                  END IF
                COMMIT TRANSACTION""";

        shop.run(text, "a@b", A, "a@b", "a@b", A, A, "ann");
        shop.run(text, "a@b", B, "a@b", "a@b", B, B, "bob");
        assertThat(select("user_id", "email_index WHERE email = 'a@b'")).containsExactly(A.toString());
        assertThat(select("user_id", "people WHERE user_id = ?", B)).isEmpty();
    }

    @Test
    void severalTablesAreWrittenWithoutReading() {
        user(A, "1", "active");
        shop.run("""
                BEGIN TRANSACTION
                  UPDATE users SET status = 'suspended', suspended_at = toTimestamp(now())
                  WHERE id = ?;

                  UPDATE orders SET status = 'cancelled'
                  WHERE order_id = ?;

                  INSERT INTO audit_log (id, user_id, action, timestamp)
                  VALUES (?, ?, 'user_suspended', toTimestamp(now()));
                COMMIT TRANSACTION""", A, B, C, A);

        assertThat(select("status", "users WHERE id = ?", A)).containsExactly("'suspended'");
        assertThat(select("status", "orders WHERE order_id = ?", B)).containsExactly("'cancelled'");
        assertThat(select("action", "audit_log WHERE id = ?", C)).containsExactly("'user_suspended'");
    }

    @Test
    void anOrderIsMadeAcrossPartitions() {
        user(A, "100", "active");
        shop.plain("INSERT INTO inventory (product_id, quantity) VALUES (?, 10)", C);
        String text = """
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance, status FROM users WHERE id = ?);

                  IF user_data.status = 'active' AND user_data.balance >= ? THEN
                    UPDATE users SET balance = balance - ? WHERE id = ?;

                    INSERT INTO orders (order_id, user_id, total, status, created_at)
                    VALUES (?, ?, ?, 'confirmed', toTimestamp(now()));

                    UPDATE inventory SET quantity = quantity - ? WHERE product_id = ?;
                  END IF
                COMMIT TRANSACTION""";
        BigDecimal total = new BigDecimal("30");

        shop.run(text, A, total, total, A, B, A, total, 2, C);
        assertThat(select("balance", "users WHERE id = ?", A)).containsExactly("70");
        assertThat(select("total, status", "orders WHERE order_id = ?", B)).containsExactly("30, 'confirmed'");
        assertThat(select("quantity", "inventory WHERE product_id = ?", C)).containsExactly("8");
    }

    private void createPerson(UUID id, String name, String email) {
        shop.run("""
                BEGIN TRANSACTION
                  LET existing_username = (SELECT user_id FROM username_index WHERE username = ? LIMIT 1);
                  LET existing_email = (SELECT user_id FROM email_index WHERE email = ? LIMIT 1);

                  IF existing_username IS NULL AND existing_email IS NULL THEN
                    INSERT INTO people (user_id, username, email, display_name, created_at)
                    VALUES (?, ?, ?, ?, toTimestamp(now()));

                    INSERT INTO username_index (username, user_id) VALUES (?, ?);
                    INSERT INTO email_index (email, user_id) VALUES (?, ?);
                  END IF
                COMMIT TRANSACTION""", name, email, id, name, email, name, name, id, email, id);
    }

    @Test
    void namesStayUniqueWhenTheyChange() {
        createPerson(A, "ann", "ann@x");
        createPerson(B, "ann", "bob@x");
        createPerson(B, "bob", "ann@x");
        assertThat(select("username", "people WHERE user_id = ?", B)).isEmpty();
        createPerson(B, "bob", "bob@x");
        String rename = """
                -- Application provides: user_id, old_username, new_username
                BEGIN TRANSACTION
                  LET current_user = (SELECT username FROM people WHERE user_id = ?);
                  LET new_name_owner = (SELECT user_id FROM username_index WHERE username = ? LIMIT 1);

                  -- Verify: user exists, old username matches, new username is available
                  IF current_user IS NOT NULL
                     AND current_user.username = ?  -- old_username parameter
                     AND new_name_owner IS NULL THEN

                    -- Update the user record
                    UPDATE people SET username = ? WHERE user_id = ?;  -- new_username

                    -- Atomically swap index entries
                    DELETE FROM username_index WHERE username = ?;  -- old_username
                    INSERT INTO username_index (username, user_id) VALUES (?, ?);  -- new_username, user_id
                  END IF
                COMMIT TRANSACTION""";

        shop.run(rename, A, "bob", "ann", "bob", A, "ann", "bob", A);
        assertThat(select("username", "people WHERE user_id = ?", A)).containsExactly("'ann'");
        shop.run(rename, A, "anna", "ann", "anna", A, "ann", "anna", A);
        assertThat(select("username", "people WHERE user_id = ?", A)).containsExactly("'anna'");
        assertThat(select("user_id", "username_index WHERE username = 'ann'")).isEmpty();
        assertThat(select("user_id", "username_index WHERE username = 'anna'")).containsExactly(A.toString());
    }

    @Test
    void anOrderIsShippedOrCancelledButNotBoth() {
        shop.plain("INSERT INTO orders (order_id, status_code) VALUES (?, 20)", A);
        String ship = """
                BEGIN TRANSACTION
                  LET current_order = (SELECT status_code FROM orders WHERE order_id = ?);

                  -- Only allow transition from PAID (20) state
                  IF current_order IS NOT NULL AND current_order.status_code = 20 THEN
                    UPDATE orders
                    SET status_code = 30, status_name = 'SHIPPED', updated_at = toTimestamp(now())
                    WHERE order_id = ?;

                    INSERT INTO order_status_history (order_id, transition_time, from_status, to_status, actor_id)
                    VALUES (?, toTimestamp(now()), 20, 30, ?);
                  END IF
                COMMIT TRANSACTION""";
        String cancel = """
                BEGIN TRANSACTION
                  LET current_order = (SELECT status_code, customer_id, total_amount FROM orders WHERE order_id = ?);

                  IF current_order IS NOT NULL
                     AND current_order.status_code <= 20 THEN

                    UPDATE orders
                    SET status_code = 99, status_name = 'CANCELLED', updated_at = toTimestamp(now())
                    WHERE order_id = ?;

                    INSERT INTO order_status_history (order_id, transition_time, from_status, to_status, actor_id)
                    VALUES (?, toTimestamp(now()), current_order.status_code, 99, ?);
                  END IF
                COMMIT TRANSACTION""";

        shop.run(cancel, A, A, A, B);
        shop.run(ship, A, A, A, B);
        assertThat(select("status_code, status_name", "orders WHERE order_id = ?", A))
                .containsExactly("99, 'CANCELLED'");
        shop.plain("INSERT INTO orders (order_id, status_code) VALUES (?, 20)", C);
        shop.run(ship, C, C, C, B);
        shop.run(cancel, C, C, C, B);
        assertThat(select("status_code, status_name", "orders WHERE order_id = ?", C))
                .containsExactly("30, 'SHIPPED'");
    }

    @Test
    void countsFollowPosts() {
        shop.plain("UPDATE author_stats SET published_count = 0, archived_count = 0 WHERE author_id = ?", B);
        String publish = """
                BEGIN TRANSACTION
                  -- Check if this post already exists (idempotency guard)
                  LET existing_post = (SELECT status FROM posts WHERE post_id = ?);

                  IF existing_post IS NULL THEN
                    -- Create the post
                    INSERT INTO posts (post_id, author_id, title, content, status, created_at)
                    VALUES (?, ?, ?, ?, 'published', toTimestamp(now()));

                    -- Synchronously update the count exactly once
                    UPDATE author_stats
                    SET published_count = published_count + 1,
                        last_post_at = toTimestamp(now())
                    WHERE author_id = ?;
                  END IF
                COMMIT TRANSACTION""";
        shop.run(publish, A, A, B, "t", "c", B);
        shop.run(publish, A, A, B, "t", "c", B);
        assertThat(select("published_count", "author_stats WHERE author_id = ?", B))
                .containsExactly("1");

        shop.run("""
                BEGIN TRANSACTION
                  LET current_post = (SELECT status, author_id FROM posts WHERE post_id = ?);

                  IF current_post IS NOT NULL AND current_post.status = 'published' THEN
                    UPDATE posts SET status = 'archived' WHERE post_id = ?;

                    UPDATE author_stats
                    SET published_count = published_count - 1,
                        archived_count = archived_count + 1
                    WHERE author_id = ?;  -- author_id passed as parameter
                  END IF
                COMMIT TRANSACTION""", A, A, B);
        assertThat(select("published_count, archived_count", "author_stats WHERE author_id = ?", B))
                .containsExactly("0, 1");

        shop.run("""
                BEGIN TRANSACTION
                  LET current_post = (SELECT status FROM posts WHERE post_id = ?);

                  IF current_post IS NOT NULL AND current_post.status = ? THEN  -- current_status parameter
                    DELETE FROM posts WHERE post_id = ?;

                    UPDATE author_stats
                    SET published_count = published_count - ?  -- pass 1 if published, 0 otherwise
                    WHERE author_id = ?;
                  END IF
                COMMIT TRANSACTION""", A, "archived", A, 0L, B);
        assertThat(select("status", "posts WHERE post_id = ?", A)).isEmpty();
    }

    @Test
    void tasksBelongToProjectsThatAreActive() {
        shop.plain("INSERT INTO projects (project_id, status, task_count) VALUES (?, 'active', 0)", A);
        shop.plain("INSERT INTO projects (project_id, status, task_count) VALUES (?, 'active', 0)", B);
        String create = """
                BEGIN TRANSACTION
                  LET project = (SELECT status FROM projects WHERE project_id = ?);

                  -- Only create task if project exists and is active
                  IF project IS NOT NULL AND project.status = 'active' THEN
                    INSERT INTO tasks (task_id, project_id, title, status, assignee_id, created_at)
                    VALUES (?, ?, ?, 'open', ?, toTimestamp(now()));

                    INSERT INTO tasks_by_project (project_id, task_id, title, status)
                    VALUES (?, ?, ?, 'open');

                    UPDATE projects SET task_count = task_count + 1 WHERE project_id = ?;
                  END IF
                COMMIT TRANSACTION""";
        shop.run(create, A, C, A, "t", B, A, C, "t", A);
        assertThat(select("task_count", "projects WHERE project_id = ?", A)).containsExactly("1");

        shop.run("""
                BEGIN TRANSACTION
                  LET task = (SELECT project_id, title, status FROM tasks WHERE task_id = ?);
                  LET old_project = (SELECT status FROM projects WHERE project_id = ?);  -- old_project_id
                  LET new_project = (SELECT status FROM projects WHERE project_id = ?);  -- new_project_id

                  IF task IS NOT NULL
                     AND task.project_id = ?  -- verify task belongs to old_project_id
                     AND old_project.status = 'active'
                     AND new_project.status = 'active' THEN

                    UPDATE tasks SET project_id = ? WHERE task_id = ?;  -- new_project_id

                    DELETE FROM tasks_by_project WHERE project_id = ? AND task_id = ?;  -- old_project_id
                    INSERT INTO tasks_by_project (project_id, task_id, title, status)
                    VALUES (?, ?, ?, ?);  -- new_project_id, task_id, task_title, task_status

                    UPDATE projects SET task_count = task_count - 1 WHERE project_id = ?;  -- old_project_id
                    UPDATE projects SET task_count = task_count + 1 WHERE project_id = ?;  -- new_project_id
                  END IF
                COMMIT TRANSACTION""", C, A, B, A, B, C, A, C, B, C, "t", "open", A, B);
        assertThat(select("task_count", "projects WHERE project_id IN (?, ?)", A, B))
                .containsExactlyInAnyOrder("0", "1");
        assertThat(select("title", "tasks_by_project WHERE project_id = ? AND task_id = ?", B, C))
                .containsExactly("'t'");

        shop.run("""
                BEGIN TRANSACTION
                  LET project = (SELECT status FROM projects WHERE project_id = ?);

                  IF project IS NOT NULL AND project.status = 'active' THEN
                    UPDATE projects
                    SET status = 'deleted'
                    WHERE project_id = ?;
                  END IF
                COMMIT TRANSACTION""", A, A);
        shop.run(create, A, A, A, "t", B, A, A, "t", A);
        assertThat(select("title", "tasks WHERE task_id = ?", A)).isEmpty();
    }

    @Test
    void theExamplesOfMigrationDoWhatTheySay() {
        shop.run("""
                BEGIN TRANSACTION
                  LET account_data = (SELECT balance FROM wallets WHERE user_id = 12345);

                  IF account_data IS NOT NULL THEN
                    UPDATE wallets SET balance = balance - 100 WHERE user_id = 12345;
                  END IF
                COMMIT TRANSACTION""");
        assertThat(select("balance", "wallets WHERE user_id = 12345")).isEmpty();
        shop.plain("INSERT INTO wallets (user_id, balance) VALUES (12345, 100)");
        shop.run("""
                BEGIN TRANSACTION
                  LET account = (SELECT balance FROM wallets WHERE user_id = 12345);

                  IF account.balance >= 50 THEN
                    UPDATE wallets SET balance = balance - 50 WHERE user_id = 12345;

                    INSERT INTO transaction_log (id, user_id, amount, timestamp)
                    VALUES (?, 12345, -50, toTimestamp(now()));
                  END IF
                COMMIT TRANSACTION""", A);
        assertThat(select("balance", "wallets WHERE user_id = 12345")).containsExactly("50");
        assertThat(select("amount", "transaction_log WHERE id = ?", A)).containsExactly("-50");

        String insertOnce = """
                BEGIN TRANSACTION
                  LET existing_user = (SELECT id FROM users WHERE id = ? LIMIT 1);

                  IF existing_user IS NULL THEN
                    INSERT INTO users (id, email, status) VALUES (?, ?, 'active');
                  END IF
                COMMIT TRANSACTION""";
        shop.run(insertOnce, A, A, "first");
        shop.run(insertOnce, A, A, "second");
        assertThat(select("email", "users WHERE id = ?", A)).containsExactly("'first'");

        String defaultEmail = """
                BEGIN TRANSACTION
                  LET user_data = (SELECT email FROM users WHERE id = ?);

                  -- Must use IS NULL, not = null
                  IF user_data IS NOT NULL AND user_data.email IS NULL THEN
                    UPDATE users SET email = 'default@example.com' WHERE id = ?;
                  END IF
                COMMIT TRANSACTION""";
        shop.run(defaultEmail, B, B);
        assertThat(select("email", "users WHERE id = ?", B)).isEmpty();
        shop.run(insertOnce, B, B, null);
        shop.run(defaultEmail, B, B);
        assertThat(select("email", "users WHERE id = ?", B)).containsExactly("'default@example.com'");
    }

    @Test
    void comparisonsWithNullAreFalse() {
        shop.plain("INSERT INTO accounts (id) VALUES (?)", A);
        shop.plain("INSERT INTO accounts (id, balance) VALUES (?, 1)", B);
        assertThat(holds("IF r.balance = null", A)).isFalse();
        assertThat(holds("IF r.balance = null", B)).isFalse();
        assertThat(holds("IF r.balance IS NULL", A)).isTrue();
        assertThat(holds("IF r.balance IS NULL", C)).isTrue();
        assertThat(holds("IF r.balance != null", A)).isFalse();
        assertThat(holds("IF r.balance != 1", A)).isFalse();
        assertThat(holds("IF r.balance != 2", B)).isTrue();
        assertThat(holds("IF r.balance < 5", A)).isFalse();
        assertThat(holds("IF r IS NULL", A)).isFalse();
        assertThat(holds("IF r IS NULL", C)).isTrue();
        assertThat(holds("IF r IS NOT NULL AND r.balance IS NULL", A)).isTrue();
        assertThat(holds("IF r IS NOT NULL AND r.balance IS NULL", C)).isFalse();
    }

    /** Its rules say that any comparison with null is false, and its table that this one is true. */
    @Test
    void aValueIsNotEqualToNull() {
        shop.plain("INSERT INTO accounts (id, balance) VALUES (?, 1)", B);
        assertThat(holds("IF r.balance != null", B)).isTrue();
        assertThat(holds("IF r.balance != null", C)).isFalse();
    }

    private boolean holds(String condition, UUID id) {
        shop.plain("INSERT INTO limits (type, max_balance) VALUES ('held', 0)");
        shop.run(
                "BEGIN TRANSACTION LET r = (SELECT balance FROM accounts WHERE id = ?); " + condition
                        + " THEN UPDATE limits SET max_balance = 1 WHERE type = 'held'; END IF COMMIT TRANSACTION",
                id);
        return select("max_balance", "limits WHERE type = 'held'").equals(List.of("1"));
    }

    @Test
    void whatIsALimitationThereIsPossibleHere() {
        user(A, "100", "active");
        shop.run("""
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance FROM users WHERE id = ?);
                  UPDATE users SET balance = user_data.balance - 50 WHERE id = ?;
                COMMIT TRANSACTION""", A, A);
        assertThat(shop.run("""
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance FROM users WHERE id = ?);
                  SELECT user_data.balance - 50;
                COMMIT TRANSACTION""", A)).containsExactly("0");

        account(A, 5);
        shop.plain("INSERT INTO limits (type, max_balance) VALUES ('standard', 10)");
        String limited = """
                BEGIN TRANSACTION
                  LET account = (SELECT balance FROM accounts WHERE id = ?);
                  LET limit = (SELECT max_balance FROM limits WHERE type = 'standard');

                  IF account.balance < limit.max_balance THEN
                    UPDATE accounts SET balance = balance + 10 WHERE id = ?;
                  END IF
                COMMIT TRANSACTION""";
        shop.run(limited, A, A);
        shop.run(limited, A, A);
        assertThat(select("balance", "accounts WHERE id = ?", A)).containsExactly("15");

        for (String condition :
                List.of("order.status IN ('PENDING', 'PAID')", "order.status = 'PENDING' OR order.status = 'PAID'")) {
            shop.plain("INSERT INTO orders (order_id, status) VALUES (?, 'PAID')", A);
            shop.run("""
                    BEGIN TRANSACTION
                      LET order = (SELECT status FROM orders WHERE order_id = ?);

                      IF %s THEN
                        UPDATE orders SET status = 'CANCELLED' WHERE order_id = ?;
                      END IF
                    COMMIT TRANSACTION""".formatted(condition), A, A);
            assertThat(select("status", "orders WHERE order_id = ?", A)).containsExactly("'CANCELLED'");
        }

        assertThat(shop.run("""
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance FROM users WHERE id = ?);
                  UPDATE users SET balance = balance - 50 WHERE id = ?;
                  SELECT user_data.balance;
                COMMIT TRANSACTION""", A, A)).containsExactly("50");
        assertThat(shop.run("""
                BEGIN TRANSACTION
                  UPDATE users SET balance = balance - 50 WHERE id = ?;
                  SELECT balance FROM users WHERE id = ?;
                COMMIT TRANSACTION""", A, A)).containsExactly("-50");
    }

    @Test
    void whatStaysALimitationIsSaid() {
        assertThatThrownBy(() -> shop.plan("""
                BEGIN TRANSACTION
                  UPDATE user_sessions SET status = 'invalidated' WHERE user_id = ?;
                COMMIT TRANSACTION""")).hasMessageContaining("Some clustering keys are missing");
        shop.run("""
                BEGIN TRANSACTION
                  UPDATE user_sessions SET status = 'invalidated' WHERE user_id = ? AND session_id = ?;
                  UPDATE user_sessions SET status = 'invalidated' WHERE user_id = ? AND session_id = ?;
                COMMIT TRANSACTION""", A, A, A, B);
        assertThat(select("status", "user_sessions WHERE user_id = ? AND session_id IN (?, ?)", A, A, B))
                .containsExactly("'invalidated'", "'invalidated'");
        assertThatThrownBy(() -> shop.plan("""
                BEGIN TRANSACTION
                  LET user_data = (SELECT balance FROM users WHERE id = ?);
                  LET new_balance = user_data.balance - 50;
                  UPDATE users SET balance = new_balance WHERE id = ?;
                COMMIT TRANSACTION"""))
                .hasMessageContaining("LET binds rows")
                .hasMessageContaining("Compute where the value is used");
        for (String let : List.of(
                "LET users = (SELECT * FROM users WHERE status = 'active')",
                "LET recent = (SELECT * FROM user_sessions WHERE user_id = ? AND session_id > ?)",
                "LET total = (SELECT COUNT(*) FROM orders WHERE order_id = ?)")) {
            assertThatThrownBy(() -> shop.plan("BEGIN TRANSACTION " + let + "; SELECT 1; COMMIT TRANSACTION"))
                    .isInstanceOf(org.apache.cassandra.exceptions.RequestValidationException.class);
        }
    }

    @Test
    void theCyclistsAccounts() {
        for (String table : List.of("cyclist_accounts", "cyclist_accounts2")) {
            String and = table.equals("cyclist_accounts") ? "" : " AND account_type = 'checking'";
            shop.plain("INSERT INTO " + table + " (account_holder, account_balance, account_type)"
                    + " VALUES ('Alice MAYS', 100, 'checking')");
            shop.plain("INSERT INTO " + table + " (account_holder, account_balance, account_type)"
                    + " VALUES ('Bob PICKLE', 0, 'checking')");
            shop.run("""
                    BEGIN TRANSACTION
                      LET fromBalance = (SELECT account_balance FROM TABLE WHERE account_holder = 'Alice MAYS'AND);
                      IF fromBalance.account_balance >= 20 THEN
                        UPDATE TABLE SET account_balance -= 20 WHERE account_holder = 'Alice MAYS'AND;
                        UPDATE TABLE SET account_balance += 20 WHERE account_holder = 'Bob PICKLE'AND;
                      END IF
                    COMMIT TRANSACTION;""".replace("TABLE", shop.keyspace() + "." + table).replace("'AND", "'" + and));
            assertThat(select("account_balance", table + " WHERE account_holder = 'Alice MAYS'" + and))
                    .containsExactly("80");
            assertThat(select("account_balance", table + " WHERE account_holder = 'Bob PICKLE'" + and))
                    .containsExactly("20");
        }
        assertThatThrownBy(() -> shop.plan("BEGIN TRANSACTION LET f = (SELECT account_balance FROM cyclist_accounts"
                        + " WHERE account_holder = 'Alice MAYS' AND account_type = 'checking' ALLOW FILTERING);"
                        + " SELECT f.account_balance; COMMIT TRANSACTION"))
                .hasMessageContaining("whole primary key");
    }
}
