import { statement } from '../../platform/db/statement.ts'
import type { SystemTx } from '../../platform/db/system-tx.ts'
import type { PublishedRates } from './formats/published-rates.ts'

export type SavedCounts = { readonly added: number; readonly changed: number; readonly unchanged: number }

/** Until the commit. Two that claim a new source at once would meet in its second key, which `on conflict` does not name. */
const lockSource = statement<{ source: string }, never>('select pg_advisory_xact_lock(hashtext($source))')
const claimBase = statement<{ source: string; base: string }, { base: string }>(`
  insert into exchange_rate_sources as s (source, base) values ($source, $base)
  on conflict (source) do update set base = s.base returning base`)

const save = statement<
  { source: string; base: string; currencies: string[]; days: string[]; baseUnits: string[]; currencyUnits: string[] },
  SavedCounts
>(`
  with given as (
    select distinct on (currency, day) currency, day, base_units, currency_units
    from unnest($currencies::text[], $days::date[], $baseUnits::numeric[], $currencyUnits::numeric[])
      with ordinality as g (currency, day, base_units, currency_units, place)
    order by currency, day, place desc
  ), saved as (
    insert into exchange_rates as r (source, base, currency, day, base_units, currency_units)
    select $source, $base, currency, day, base_units, currency_units from given
    on conflict (source, currency, day) do update
      set base_units = excluded.base_units, currency_units = excluded.currency_units, loaded_at = now()
      where (r.base_units, r.currency_units) <> (excluded.base_units, excluded.currency_units)
    returning old.source is null as added
  )
  select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed,
    ((select count(*) from given) - count(*))::integer as unchanged
  from saved`)

/** Newest first, as they were published. */
export const listRates = statement<
  { currency: string | null; from: string | null; to: string | null; limit: number },
  { day: string; source: string; currency_units: string; currency: string; base_units: string; base: string }
>(`
  select day, source, trim_scale(currency_units)::text as currency_units, currency,
    trim_scale(base_units)::text as base_units, base
  from exchange_rates
  where ($currency::text is null or currency = $currency) and ($from::date is null or day >= $from)
    and ($to::date is null or day <= $to)
  order by day desc, source, currency limit $limit`)

/** Saves what a source published. Where it repeats a currency and day, the last one holds. */
export async function saveRates(tx: SystemTx, { source, base, rates }: PublishedRates): Promise<SavedCounts> {
  await tx.all(lockSource, { source })
  const known = await tx.one(claimBase, { source, base })
  if (known?.base !== base) {
    throw new Error(
      `The rates are in ${base}, and those of the source ${source} are in ${known?.base}. Name another source: --source NAME`,
    )
  }
  const saved = await tx.one(save, {
    source,
    base,
    currencies: rates.map(({ currency }) => currency),
    days: rates.map(({ day }) => day),
    baseUnits: rates.map(({ baseUnits }) => baseUnits),
    currencyUnits: rates.map(({ currencyUnits }) => currencyUnits),
  })
  return saved as SavedCounts
}

const drop = statement<{ source: string }, never>(`
  with rates as (delete from exchange_rates where source = $source)
  delete from exchange_rate_sources where source = $source`)
/** Takes a source and its rates away. What was priced by them keeps its rate. */
export async function dropRates(tx: SystemTx, source: string): Promise<void> {
  await tx.all(drop, { source })
}
