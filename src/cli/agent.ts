import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { SAY } from './agent/say.ts'
import { sendFile } from './agent/send-file.ts'
import { watchFolder } from './agent/watch-folder.ts'
import { SOME_FAILED } from './command.ts'
import { addressOf, type ClientOptions, keyOf, withClientOptions } from './import/client-options.ts'

type Options = ClientOptions & { watch: string; encoding?: string; once?: boolean }

export function registerAgent(program: Command): void {
  const command = program
    .command('agent')
    .description('watch a folder that a GDS writes ticket files into, and send them to the API')
    .requiredOption('--watch <folder>', 'where the files come in; they are moved to done, duplicate or failed in there')
    .option('--encoding <name>', 'character set of the files, e.g. windows-1254, where the cell guesses wrong')
    .option('--once', 'send what is there, and end')
    .action((options: Options) => runAgent(options, program.version() ?? ''))
  withClientOptions(command, 'ticket_import or full')
}

async function runAgent({ watch, encoding, once = false, ...options }: Options, version: string): Promise<void> {
  const cell = {
    url: addressOf(options).url,
    key: keyOf(options),
    encoding: encoding === undefined ? null : encodingOf(encoding),
    // Without the version of the system, which changes while a file waits for the restart.
    agent: { version, host: hostname(), os: `${process.platform} ${process.arch}` },
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) process.on(signal, () => stop.abort())
  const folder = resolve(watch)
  if (!once) SAY.problem(`Watching ${folder} for ${cell.url}.`)
  const { failed, left } = await watchFolder({
    folder,
    once,
    send: (file, halt) => sendFile(cell, file, halt),
    say: SAY,
    stop: stop.signal,
  })
  if (left > 0) SAY.problem(`${left} files are left in ${folder}.`)
  process.exitCode = once && failed + left > 0 ? SOME_FAILED : 0
}

function encodingOf(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    throw new Error(`--encoding takes the name of a character set such as windows-1254, not ${name}.`)
  }
}
