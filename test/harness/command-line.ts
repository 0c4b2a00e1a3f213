import { vi } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import type { TestCell } from './cell.ts'
import { type Ended, settings } from './process.ts'

/**
 * Runs a command in this process, ten times faster than in its own, with the same result as `run`. One at a time: all
 * output of the process is taken for the command's. Its log is not captured.
 */
export async function runHere(
  args: readonly string[],
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const exitCode = process.exitCode
  const [stdout, stderr] = [listenTo(process.stdout), listenTo(process.stderr)]
  for (const [name, value] of Object.entries(settings(dataDir, environment))) vi.stubEnv(name, value)
  try {
    process.exitCode = undefined
    const code = await runProgram(args)
    return { code: code || Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.exitCode = exitCode
    vi.unstubAllEnvs()
    stdout.end()
    stderr.end()
  }
}

/** The output of a successful command; otherwise an error with its output. */
export async function outputOf(...given: Parameters<typeof runHere>): Promise<string> {
  const { code, stdout, stderr } = await runHere(...given)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

/** Captures the output to a stream. */
function listenTo(stream: NodeJS.WriteStream) {
  const write = vi.spyOn(stream, 'write').mockReturnValue(true)
  return {
    text: () => write.mock.calls.map(([text]) => text).join(''),
    end: () => write.mockRestore(),
  }
}

/** The environment of a command on the database of a cell. */
export function environmentOf({ connection }: Pick<TestCell, 'connection'>) {
  const { host, port, database, user } = connection
  const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`
  return { DATABASE_URL, SECRET: 's'.repeat(32) }
}
