/**
 * The lockfile without the Node versions that packages ask for. npm compares those with the Node that runs `npm ci`, which
 * may be 20; the packages run in the Node that the lockfile itself pins.
 */
export function withoutEngines(text: string): string {
  const lock = JSON.parse(text) as { packages: Record<string, { engines?: unknown }> }
  for (const [path, locked] of Object.entries(lock.packages)) if (path !== '') delete locked.engines
  return `${JSON.stringify(lock, null, 2)}\n`
}
