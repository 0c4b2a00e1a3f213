import type { IncomingHttpHeaders } from 'node:http'

let patterns: Promise<RegExp> | undefined

/** Half a megabyte of patterns, read on first use. */
const knownRobots = (): Promise<RegExp> => {
  patterns ??= import('crawler-user-agents').then(
    ({ default: known }) => new RegExp(known.map(({ pattern }) => pattern).join('|'), 'i'),
  )
  return patterns
}

/**
 * Whether a page is requested by a program: a robot by its own name, a program without a name, or a browser that
 * prefetches it.
 */
export async function isRobot({
  'user-agent': agent,
  'sec-purpose': ahead,
  purpose,
}: IncomingHttpHeaders): Promise<boolean> {
  if (!agent || !/mozilla/i.test(agent)) return true
  if (/prefetch|preview/i.test(`${ahead ?? ''} ${purpose ?? ''}`)) return true
  return (await knownRobots()).test(agent)
}
