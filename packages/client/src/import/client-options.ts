import { resolve } from 'node:path'
import type { Command } from 'commander'
import { findAddress } from '../cell-address.ts'
import { type ApiClient, apiClient, realEnvironment } from './api-client.ts'

export type ClientOptions = { url?: string; key?: string }
/** Where the cell is, and where that was found. */
export type Address = { readonly url: string; readonly from: string }

const DEFAULT_URL = 'http://localhost:3000'

/** The options of a command that calls the API of a cell with a key of these scopes. */
export const withClientOptions = (command: Command, scopes = 'import or full'): Command =>
  command
    .option(
      '--url <url>',
      `address of the cell; otherwise BACKDESK_URL, http://localhost:PORT when PORT is set, the cell that serves DATA_DIR, or ${DEFAULT_URL}`,
    )
    .option('--key <key>', `API key with scope ${scopes}; otherwise BACKDESK_KEY`)

export function keyOf(options: Pick<ClientOptions, 'key'>): string {
  const key = options.key ?? process.env.BACKDESK_KEY
  if (!key) throw new Error('The API key is missing. Use --key sek_…, or set BACKDESK_KEY.')
  return key
}

/** What a command names explicitly comes first; then what `serve` reads from the same environment. */
export function addressOf({ url }: Pick<ClientOptions, 'url'>, environment: NodeJS.ProcessEnv = process.env): Address {
  const { BACKDESK_URL, PORT, DATA_DIR } = environment
  if (url) return { url: checked(url, '--url'), from: '--url' }
  if (BACKDESK_URL) return { url: checked(BACKDESK_URL, 'BACKDESK_URL'), from: 'BACKDESK_URL' }
  if (PORT && PORT !== '0') return { url: checked(`http://localhost:${PORT}`, 'PORT'), from: 'PORT' }
  const dataDir = resolve(DATA_DIR || './data')
  const running = findAddress(dataDir)
  return running ? { url: running, from: `the cell that serves ${dataDir}` } : { url: DEFAULT_URL, from: 'the default' }
}

function checked(url: string, from: string): string {
  const { protocol } = URL.canParse(url) ? new URL(url) : {}
  if (protocol === 'http:' || protocol === 'https:') return url.replace(/\/+$/, '').replace(/\/api\/v1$/, '') // as documents show it
  throw new Error(`${from} takes an address such as https://cell.example, not ${url}.`)
}

/** `note` is called with the reason of every wait. */
export function clientOf(options: ClientOptions, note: (text: string) => void): ApiClient {
  return apiClient(
    addressOf(options),
    keyOf(options),
    realEnvironment((reason, ms) => note(`waiting ${Math.ceil(ms / 1000)} s for ${reason}`)),
  )
}
