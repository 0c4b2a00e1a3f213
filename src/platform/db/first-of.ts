/**
 * SQL of the first of two columns that is not null, for look-ups. It equals `coalesce`, which PostgreSQL does not
 * consider leakproof: behind row security it would not use an index, and read all rows of the account.
 */
export const firstOf = (one: string, other: string): string => `case when ${one} is null then ${other} else ${one} end`
