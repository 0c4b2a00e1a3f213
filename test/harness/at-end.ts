const ends: (() => Promise<void>)[] = []

/**
 * Does something when the test file ends. Unlike afterAll, it may be called from a hook or a test: vitest collects
 * hooks while it reads a file, and never runs one that comes later.
 */
export function atEnd(end: () => Promise<void>): void {
  ends.push(end)
}

/** The last hook of each test file; what was opened last is closed first. */
export async function endAll(): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end()
}
