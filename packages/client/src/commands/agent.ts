import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { AGENT_LOG } from '../agent/agent-log.ts'
import { sendFile } from '../agent/send-file.ts'
import { watchFolder } from '../agent/watch-folder.ts'
import { SOME_FAILED } from '../command.ts'
import { addressOf, type ClientOptions, keyOf, withClientOptions } from '../import/client-options.ts'

type Options = ClientOptions & { watch: string; encoding?: string; once?: boolean }

export function registerAgent(program: Command): void {
  const command = program
    .command('agent')
    .description('watch a folder for ticket files of a GDS, and send them to the API')
    .requiredOption(
      '--watch <folder>',
      'folder to watch; processed files move to its subfolders done, duplicate and failed',
    )
    .option('--encoding <name>', 'character set of the files, e.g. windows-1254, if the cell detects it wrongly')
    .option('--once', 'send the files in the folder, then exit')
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
  if (!once) AGENT_LOG.problem(`Watching ${folder} for ${cell.url}.`)
  const { failed, left } = await watchFolder({
    folder,
    once,
    send: (file, halt) => sendFile(cell, file, halt),
    log: AGENT_LOG,
    stop: stop.signal,
  })
  if (left > 0) AGENT_LOG.problem(`${left} files remain in ${folder}.`)
  process.exitCode = once && failed + left > 0 ? SOME_FAILED : 0
}

function encodingOf(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    throw new Error(`--encoding takes the name of a character set such as windows-1254, not ${name}.`)
  }
}
