import { type Command, CommanderError } from 'commander'
import { ImportError } from './import/import-error.ts'

/** Runs what the arguments say and returns the exit code. A command may set another one itself. */
export async function runCommandLine(
  load: (name?: string) => Promise<Command>,
  args: readonly string[],
): Promise<number> {
  try {
    const program = await load(args[0])
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    const message = error instanceof Error ? error.message : String(error)
    if (args.includes('--json')) process.stdout.write(`${JSON.stringify({ error: message, ...codeOf(error) })}\n`)
    else process.stderr.write(`backdesk: ${message}\n`)
    return 1
  }
}

/** The code of what the command refused for itself; what the system says in codes is in its words. */
const codeOf = (error: unknown): { code?: string } => (error instanceof ImportError ? { code: error.code } : {})
