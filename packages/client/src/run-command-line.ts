import { type Command, CommanderError } from 'commander'
import { type CommandFailure, clientFailureOf } from './failure.ts'

/** Runs the command line and returns the exit code. A command may set another one itself. */
export async function runCommandLine(
  load: (name?: string) => Promise<Command>,
  args: readonly string[],
  describeFailure: (error: unknown, command: string) => CommandFailure = clientFailureOf,
): Promise<number> {
  let command = ''
  try {
    const program = await load(args[0])
    command = nameOf(program, args)
    refuseEmptyValues(program)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    const failure = describeFailure(error, command)
    if (args.includes('--json')) process.stdout.write(`${JSON.stringify(failure)}\n`)
    else process.stderr.write(`backdesk: ${failure.error}\n${failure.hint ? `${failure.hint}\n` : ''}`)
    return 1
  }
}

/** The name of the command in the arguments, as shown in the help. */
function nameOf(program: Command, args: readonly string[]): string {
  let command = program
  const names = [program.name()]
  for (const arg of args) {
    const found = command.commands.find((each) => each.name() === arg)
    if (!found) break
    names.push(arg)
    command = found
  }
  return names.join(' ')
}

/** An empty value is often a variable of a script that is not set. Options that are not required can be cleared with one. */
function refuseEmptyValues(command: Command): void {
  for (const each of command.commands) refuseEmptyValues(each)
  for (const argument of command.registeredArguments) {
    const { parseArg } = argument
    argument.argParser((value: string, previous: unknown) => {
      refuseEmpty(value, `<${argument.name()}>`)
      if (parseArg) return parseArg(value, previous)
      return argument.variadic ? [...((previous as string[] | undefined) ?? []), value] : value
    })
  }
  for (const option of command.options.filter(({ mandatory }) => mandatory)) {
    const { parseArg } = option
    option.argParser((value: string, previous: unknown) => {
      refuseEmpty(value, option.long ?? option.flags)
      return parseArg ? parseArg(value, previous) : value
    })
  }
}
function refuseEmpty(value: string, name: string): void {
  if (value.trim() === '') throw new Error(`${name} is empty. Give it a value.`)
}
