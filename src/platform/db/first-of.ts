/**
 * SQL of the first of two columns that is not null, to find a row by. It is what `coalesce` says, which PostgreSQL takes
 * for a leak: behind row-level security no index would be asked for it, and all rows of the account would be read.
 */
export const firstOf = (one: string, other: string): string => `case when ${one} is null then ${other} else ${one} end`
