import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { fetchRates } from '../features/exchange-rates/commands/fetch-rates.ts'
import { type ImportedRates, importRates } from '../features/exchange-rates/commands/import-rates.ts'
import { listRates } from '../features/exchange-rates/exchange-rates.store.ts'
import { isDate } from '../platform/time.ts'
import { UserError } from '../platform/user-error.ts'
import { limitUpTo } from './command.ts'
import { asOperator, withCell } from './with-cell.ts'

const LISTED = 50
const MAX_LISTED = 10_000

export function registerRates(program: Command): void {
  const rates = program.command('rates').description('load and list exchange rates')
  objectCommand(
    rates
      .command('import')
      .description(
        'import a file of the European or the Turkish central bank, or a CSV with day,base,currency,rate: rate is the price of one unit of the currency in the base currency',
      )
      .argument('<file>', 'the file; its format is detected from its content')
      .option('--source <name>', 'source of the rates (default: ecb, tcmb or csv, depending on the format)'),
    async ({ source }: { source?: string }, file: string) => {
      const bytes = await readFile(file)
      return withCell(({ deps }) => importRates(deps.db, bytes, source))
    },
    ratesText,
  )
  objectCommand(
    rates
      .command('list')
      .description('list exchange rates, newest first')
      .option('--currency <code>', 'only this currency, e.g. USD', currency)
      .option('--from <day>', 'from this date', day)
      .option('--to <day>', 'up to this date', day)
      .option('--limit <n>', `maximum number of rates, up to ${MAX_LISTED}`, limitUpTo(MAX_LISTED), LISTED),
    (asked: { currency?: string; from?: string; to?: string; limit: number }) =>
      asOperator(async (tx) => ({
        rates: await tx.all(listRates, {
          currency: asked.currency ?? null,
          from: asked.from ?? null,
          to: asked.to ?? null,
          limit: asked.limit,
        }),
      })),
    ({ rates }: { rates: object[] }) => table(rates),
  )
  objectCommand(
    rates.command('fetch').description('download the rates from EXCHANGE_RATE_URL now'),
    () =>
      withCell(({ deps: { db, config } }) => {
        if (config.exchangeRateUrl === null)
          throw new UserError('invalid_configuration', 'EXCHANGE_RATE_URL is not set. Set it to the URL of the rates.')
        return fetchRates(db, config.exchangeRateUrl)
      }),
    ratesText,
  )
}

function ratesText({ format, source, base, first_day, last_day, added, changed, unchanged }: ImportedRates): string {
  const days = first_day === last_day ? `of ${first_day}` : `from ${first_day} to ${last_day}`
  return `Read ${format}, rates ${days}.\nSource ${source}, in ${base}: ${added} added, ${changed} changed, ${unchanged} unchanged.`
}

function currency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text
  throw new UserError('invalid_value', `--currency takes a code such as USD, not ${text}.`)
}

function day(text: string): string {
  if (isDate(text)) return text
  throw new UserError('invalid_value', `${text} is not a date. Write dates as 2026-11-21.`)
}
