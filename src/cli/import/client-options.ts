import type { Command } from 'commander'
import { type ApiClient, apiClient, realSurroundings } from './api-client.ts'

export type ClientOptions = { url: string; key?: string }

/** The options of a command that asks a cell by its API. */
export const withClientOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'where the cell is', process.env.BACKDESK_URL ?? 'http://localhost:3000')
    .option('--key <key>', 'API key with scope import or full; BACKDESK_KEY when omitted')

export function keyOf(options: Pick<ClientOptions, 'key'>): string {
  const key = options.key ?? process.env.BACKDESK_KEY
  if (!key) throw new Error('Name an API key: --key sek_…, or BACKDESK_KEY in the environment.')
  return key
}

/** `note` hears why the client waits. */
export function clientOf(options: ClientOptions, note: (text: string) => void): ApiClient {
  return apiClient(
    options.url.replace(/\/+$/, ''),
    keyOf(options),
    realSurroundings((reason, ms) => note(`waiting ${Math.ceil(ms / 1000)} s for ${reason}`)),
  )
}
