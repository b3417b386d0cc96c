#!/usr/bin/env python3
import json, os, sqlite3, sys

unit = json.load(sys.stdin)
db = sqlite3.connect(os.environ.get("BALANCES", "/var/lib/shop/balances.db"), timeout=10)
try:
    with db:  # one transaction: the whole unit or nothing of it
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE IF NOT EXISTS done (request INTEGER PRIMARY KEY)")
        db.execute(
            "CREATE TABLE IF NOT EXISTS customer (entity TEXT PRIMARY KEY,"
            " fence INTEGER NOT NULL, balance INTEGER NOT NULL DEFAULT 0)"
        )
        ours = db.execute(
            "INSERT INTO customer (entity, fence) VALUES (?1, ?2)"
            " ON CONFLICT (entity) DO UPDATE SET fence = ?2 WHERE fence <= ?2",
            (unit["entity"], unit["fence"]),
        )
        if ours.rowcount == 0:
            print("a later unit was here", file=sys.stderr)
            sys.exit(75)
        for request in unit["requests"]:
            new = db.execute("INSERT OR IGNORE INTO done VALUES (?)", (request["id"],))
            if new.rowcount == 1:
                db.execute(
                    "UPDATE customer SET balance = balance + ? WHERE entity = ?",
                    (int(request["payload"]["amount"]), unit["entity"]),
                )
except sqlite3.OperationalError as busy:
    print(busy, file=sys.stderr)
    sys.exit(75)
