import type { Issue } from './kind.ts'
import type { Values } from './read-cells.ts'

const ordered =
  (holds: (start: string, end: string) => boolean) =>
  (start: string, end: string, message: string) =>
  (record: Values): Issue[] => {
    const [from, to] = [record[start], record[end]]
    if (!from || !to || holds(String(from), String(to))) return []
    return [{ at: end, code: 'inconsistent', message }]
  }

/** Checks that one date or instant comes after another, if both are given. */
export const after = ordered((start, end) => end > start)
/** The same, where they may be one. */
export const notBefore = ordered((start, end) => end >= start)
