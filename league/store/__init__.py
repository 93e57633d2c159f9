"""The league's database: tables, transactions, queries. Nobody else writes SQL."""
