"""The league's database: tables, transactions, queries. All SQL is in this package."""
